import { stemmer } from "stemmer";

/**
 * Stems of words that come up in requests of any kind. They can be what a document is about, so they are no stop words, but
 * that two texts share one says little.
 */
export const requestWords: ReadonlySet<string> = new Set(
  `advice allow answer appreciate assist assistance available based believe best better brief change check come complete
comprehensive create curious current currently daily day detail detailed different discover easy effective efficient engage
enhance ensure example experience explore feature fetch friendly generate give go good great guidance guide hello help hey hi
high highly idea important improve include increase information insight interest interested interesting kindly know large last
latest learn list look love make new number offer one online option particular perform personal please popular possible
potential practice prefer preference present process provide question range recent recommend recommendation regard related
relevant request require resource result right search see seek set share significant specific start step suggest suggestion
support sure tailor take thing time tip today tool top try understand unique up update useful user various visit want way well
wide wonder work world year`
    .split(/\s+/)
    .map(stemmer),
);

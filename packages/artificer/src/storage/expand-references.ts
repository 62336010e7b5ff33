import { ArtificerError } from "@artificer/protocol";
import { hidePasswords } from "./hide-passwords.js";

/** Gives what a name stands for; undefined when there is no such thing. */
export type ReferenceLookup = (name: string) => string | undefined | Promise<string | undefined>;

/**
 * Puts in what `${NAME}` stands for, so that no password need stand in a file or on a command line. Before the host of a URL it is
 * percent-encoded, since passwords hold anything; a reference that is the whole text may be a whole URL.
 *
 * @throws ArtificerError `config/invalid` for a name that stands for nothing.
 */
export async function expandReferences(text: string, lookup: ReferenceLookup): Promise<string> {
  const host = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.exec(text)?.[0].length ?? 0;
  let expanded = "";
  let last = 0;
  for (const found of text.matchAll(/\$\{([^}]*)\}/g)) {
    const [whole, name = ""] = found;
    const value = await lookup(name);
    if (value === undefined || value === "") throw unknownReference(text, name);
    expanded += text.slice(last, found.index) + (found.index < host ? encodeURIComponent(value) : value);
    last = found.index + whole.length;
  }
  return expanded + text.slice(last);
}

function unknownReference(text: string, name: string): ArtificerError {
  return new ArtificerError(
    "config/invalid",
    `The storage ${hidePasswords(text)} refers to \${${name}}, which is not set.`,
    {
      details: { name },
      hint: `Set the variable ${name} in the environment, or name ${name} under secrets: in config.yaml.`,
    },
  );
}

import { createByteScanner } from "./byte-scanner.js";
import type { KnownSecret } from "./known-secrets.js";
import { type SecretShape, secretShapes } from "./secret-shapes.js";

/** A rejected candidate may hold another, `Authorization: Bearer …` for one; in very long ones it is not looked for. */
const maxReread = 512;

/** Where something begins that is, or may become, a secret. */
export interface Candidate {
  start: number;
  end: number;
  kind: string;
  /** Undefined for a secret known by its value: it is whole. */
  shape: SecretShape | undefined;
}

/** Looks for secrets in a text: by shape and by value. */
export interface SecretFinder {
  /** Cheap: false when there is none and none begins. */
  mayHold(text: string): boolean;
  /** The same of many bytes read as Latin-1, several times as fast. */
  mayHoldBytes(bytes: Uint8Array): boolean;
  /** Length of the longest known secret. */
  readonly longest: number;
  /** The first at or after `from`. */
  next(text: string, from: number): Candidate | undefined;
  /** Where to go on looking after a candidate that is no secret. */
  after(candidate: Candidate): number;
  /** How many characters at the end are the beginning of a known secret, cut off. */
  openLength(text: string): number;
}

export function createSecretFinder(known: readonly KnownSecret[]): SecretFinder {
  const literals = known.map(({ text }) => literal(text));
  const shapes = secretShapes.map(({ candidate }, index) => `(?<s${index}>${candidate})`);
  const kinds = new Map(known.map(({ kind, text }) => [text, kind]));
  const begins = secretShapes.flatMap((shape) => shape.begins);
  const trigger = new RegExp([...literals, ...begins.map(literal)].join("|"));
  const scanners = [begins, known.map(({ text }) => text)].map(createByteScanner);
  const source = [...(literals.length === 0 ? [] : [`(?<k>${literals.join("|")})`]), ...shapes].join("|");
  const all = new RegExp(source, "g");
  const heads = new Set(known.map(({ text }) => text.slice(0, minHeld(text))));
  const head = heads.size === 0 ? undefined : new RegExp(Array.from(heads, literal).join("|"));
  const longest = known[0]?.text.length ?? 0;

  return {
    longest,

    mayHold: (text) => trigger.test(text),

    mayHoldBytes: (bytes) => scanners.some((scanner) => scanner.finds(bytes)),

    next(text, from) {
      all.lastIndex = from;
      const match = all.exec(text);
      if (match === null) return undefined;
      const [whole] = match;
      const start = match.index;
      const end = start + whole.length;
      const groups = match.groups!;
      if (groups.k !== undefined) return { start, end, kind: kinds.get(whole) ?? "secret", shape: undefined };
      const shape = secretShapes[secretShapes.findIndex((_, index) => groups[`s${index}`] !== undefined)]!;
      return { start, end, kind: shape.kind, shape };
    },

    after: ({ start, end }) => (end - start > maxReread ? end : start + 1),

    openLength(text) {
      const tail = text.slice(1 - longest);
      if (longest === 0 || head === undefined || !head.test(tail)) return 0;
      let open = 0;
      for (const { text: secret } of known) {
        for (
          let length = Math.min(secret.length - 1, tail.length);
          length >= minHeld(secret) && length > open;
          length--
        ) {
          if (tail.endsWith(secret.slice(0, length))) open = length;
        }
      }
      return open;
    },
  };
}

/** Shorter beginnings of a known secret give nothing away and are not held back, unless they would split a character. */
function minHeld(secret: string): number {
  const special = secret.search(/[^\0-\x7f]/);
  return special === -1 ? 4 : Math.min(4, special + 1);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

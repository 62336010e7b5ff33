import { ArtificerError } from "@artificer/protocol";
import { plainJson } from "../remote/plain-json.js";
import type { ParameterStyle } from "./http-operation.js";

/** How a value is written. */
export interface Serialization {
  name: string;
  style: ParameterStyle;
  explode: boolean;
  /** Leaves `:/?[]@!$'()*,;` as they are; what would end the pair or the query, or be read as a blank (`&=#+`), is encoded all the same. */
  allowReserved?: boolean;
}

type Encode = (text: string) => string;

/** A value as the pairs of a query or a form, encoded. Nothing comes of null and of empty lists. */
export function serializePairs(
  value: unknown,
  { name, style, explode, allowReserved }: Serialization,
): [string, string][] {
  const encode = encoder(allowReserved === true);
  const key = encodeURIComponent(name);
  const plain = plainJson(value);
  if (plain === null || plain === undefined) return [];
  if (style === "json") return [[key, encode(JSON.stringify(plain))]];
  if (style === "deepObject" && typeof plain === "object") return deepPairs(name, plain, encode);
  const separator = style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "%7C" : ",";
  if (Array.isArray(plain)) {
    const items = plain.filter((item) => item !== null).map((item) => encode(scalar(item)));
    if (items.length === 0) return [];
    return explode ? items.map((item) => [key, item]) : [[key, items.join(separator)]];
  }
  if (typeof plain === "object") {
    const entries = entriesOf(plain).map(([inner, item]): [string, string] => [encode(inner), encode(scalar(item))]);
    if (entries.length === 0) return [];
    return explode ? entries : [[key, entries.flat().join(separator)]];
  }
  return [[key, encode(scalar(plain))]];
}

/** A value as it stands in a path, encoded. */
export function serializePath(value: unknown, { name, style, explode, allowReserved }: Serialization): string {
  const encode = encoder(allowReserved === true);
  const plain = plainJson(value);
  if (style === "matrix") return matrix(plain, encodeURIComponent(name), explode, encode);
  if (style === "label") return `.${simple(plain, explode, encode, explode ? "." : ",")}`;
  return style === "json" ? encode(JSON.stringify(plain)) : simple(plain, explode, encode, ",");
}

/** A value as it stands in a header. */
export function serializeHeader(value: unknown, { style, explode }: Pick<Serialization, "style" | "explode">): string {
  const plain = plainJson(value);
  return style === "json" ? JSON.stringify(plain) : simple(plain, explode, (text) => text, ",");
}

function simple(plain: unknown, explode: boolean, encode: Encode, separator: string): string {
  if (Array.isArray(plain)) return plain.map((item) => encode(scalar(item))).join(separator);
  if (typeof plain === "object" && plain !== null) {
    const between = explode ? "=" : ",";
    return entriesOf(plain)
      .map(([key, item]) => `${encode(key)}${between}${encode(scalar(item))}`)
      .join(separator);
  }
  return encode(scalar(plain));
}

function matrix(plain: unknown, key: string, explode: boolean, encode: Encode): string {
  if (Array.isArray(plain) && explode) return plain.map((item) => `;${key}=${encode(scalar(item))}`).join("");
  if (typeof plain === "object" && plain !== null && !Array.isArray(plain) && explode)
    return entriesOf(plain)
      .map(([inner, item]) => `;${encode(inner)}=${encode(scalar(item))}`)
      .join("");
  return `;${key}=${simple(plain, false, encode, ",")}`;
}

/** `filter[range][from]=1`, lists by index: what the servers that read this style read. */
function deepPairs(name: string, value: unknown, encode: Encode): [string, string][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [[encodeURIComponent(name), encode(scalar(value))]];
  return Object.entries(value).flatMap(([key, item]) => deepPairs(`${name}[${key}]`, item, encode));
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
}

function scalar(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

function encoder(allowReserved: boolean): Encode {
  return (text) => {
    try {
      const encoded = encodeURIComponent(text);
      return allowReserved
        ? encoded.replace(/%(3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B)/g, decodeURIComponent)
        : encoded;
    } catch {
      throw new ArtificerError("tool/invalid-argument", "A text with half a character in it can't be sent.");
    }
  };
}

/**
 * The words of a text in lower case, identifiers taken apart: `parse_csvFile` and `HTTPServer` give
 * parse, csv, file and http, server.
 */
export function splitWords(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
      .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

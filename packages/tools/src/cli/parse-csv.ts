/**
 * Reads comma-separated values as RFC 4180 describes them: the first record names the columns, each other becomes an object of
 * texts. Quoted fields may hold commas, quotes (doubled) and line ends.
 *
 * @throws Error naming the record, counted from 1, whose number of fields differs from the header's, or a quote that isn't closed.
 */
export function parseCsv(text: string): Record<string, string>[] {
  const [header, ...records] = readRecords(text);
  if (header === undefined) return [];
  const twice = header.find((name, at) => header.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two columns are called ${JSON.stringify(twice)}`);
  return records.map((fields, at) => {
    if (fields.length !== header.length) {
      throw new Error(`record ${at + 2} has ${fields.length} fields where the header has ${header.length}`);
    }
    return Object.fromEntries(header.map((name, column) => [name, fields[column]!]));
  });
}

function readRecords(text: string): string[][] {
  const records: string[][] = [];
  let fields: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field: string;
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1, records.length + 1);
      field = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      const end = nextBreak(text, at);
      field = text.slice(at, end);
      at = end;
    }
    fields.push(field);
    if (text[at] === ",") {
      at += 1;
      // A comma at the very end begins one more, empty field.
      if (at === text.length) fields.push("");
      else continue;
    } else if (at < text.length && text[at] !== "\r" && text[at] !== "\n") {
      throw new Error(`record ${records.length + 1} has text behind a closing quote`);
    }
    if (text.startsWith("\r\n", at)) at += 2;
    else if (at < text.length) at += 1;
    if (fields.length > 1 || fields[0] !== "") records.push(fields);
    fields = [];
  }
  return records;
}

function closingQuote(text: string, from: number, record: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  throw new Error(`record ${record} has a quote that is not closed`);
}

function nextBreak(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "," && text[at] !== "\n" && text[at] !== "\r") at += 1;
  return at;
}

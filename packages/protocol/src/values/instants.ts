const text = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(\.\d+)?(Z|[+-]\d\d:\d\d(?::\d\d)?)?(?:\[[\w+\-/]+\])?)?$/;

/** What JavaScript's own dates hold: an instant in UTC, to the millisecond. */
const plain = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;

/** Milliseconds since 1970 of a date as the codec writes it; NaN for what is none. Without a zone it is this process's own time. */
export function instantOf(iso: string): number {
  if (plain.test(iso)) return Date.parse(iso);
  const [whole, day, time, fraction = "", offset] = text.exec(iso) ?? [];
  if (whole === undefined) return Number.NaN;
  if (time === undefined) return Date.parse(iso);
  const local = `${day}T${time}${fraction.slice(0, 4)}`;
  if (offset === undefined) return Date.parse(local);
  if (offset === "Z") return Date.parse(`${local}Z`);
  // Offsets of long ago have seconds, which Date.parse does not know.
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(":").map(Number);
  const shift = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return Date.parse(`${local}Z`) - (offset.startsWith("-") ? -shift : shift);
}

/** A date that remembers its text where it says more than the instant. Undefined when the text is no date. */
export function dateFromIso(iso: string): Date | undefined {
  const date = new Date(instantOf(iso));
  if (Number.isNaN(date.getTime())) return undefined;
  return plain.test(iso) ? date : Object.defineProperty(date, "iso", { value: iso, enumerable: false });
}

/** The text to write: the one it came with, for as long as the date still is that instant. Undefined for an invalid date. */
export function isoFromDate(date: Date): string | undefined {
  const time = Date.prototype.getTime.call(date);
  if (Number.isNaN(time)) return undefined;
  const iso: unknown = Object.getOwnPropertyDescriptor(date, "iso")?.value;
  if (typeof iso === "string" && instantOf(iso) === time) return iso;
  return Date.prototype.toISOString.call(date);
}

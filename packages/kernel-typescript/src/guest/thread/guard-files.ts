import fs from "node:fs";
import { outputDoubt, writeThrough } from "../output.js";
import { refused } from "./refused.js";

type Call = (...args: unknown[]) => unknown;
type Callback = (error: Error | null, ...rest: unknown[]) => void;

/** Functions of node:fs whose first argument is, or may be, a descriptor. */
const byDescriptor =
  "close read readv write writev fstat fsync fdatasync ftruncate futimes fchmod fchown readFile writeFile appendFile".split(
    " ",
  );

/**
 * Descriptors are the host's: a cell that closed or wrote to one that it did not open would harm it. Those that it opened are
 * its own; 1 and 2 are its output, 0 is empty, and all others are refused.
 */
export function guardFiles(): void {
  const all = fs as unknown as Record<string, Call>;
  const own = new Set<number>();
  const { open, openSync } = fs as unknown as Record<"open" | "openSync", Call>;
  all.openSync = (...args) => {
    const opened = openSync(...args) as number;
    own.add(opened);
    return opened;
  };
  all.open = (...args) => {
    const done = args.pop() as Callback;
    return open(...args, (error: Error | null, opened: number) => {
      if (error === null) own.add(opened);
      done(error, opened);
    });
  };
  for (const name of byDescriptor) {
    const sync = all[`${name}Sync`];
    if (sync !== undefined) {
      all[`${name}Sync`] = (...args) => {
        const [descriptor] = args;
        if (typeof descriptor !== "number" || own.has(descriptor)) {
          if (name === "close") own.delete(descriptor as number);
          return sync(...args);
        }
        return instead(name, descriptor, args).value;
      };
    }
    const native = all[name]!;
    all[name] = (...args) => {
      const [descriptor] = args;
      if (typeof descriptor !== "number" || own.has(descriptor)) {
        if (name === "close") own.delete(descriptor as number);
        return native(...args);
      }
      const done = args.at(-1) as Callback;
      const { value } = instead(name, descriptor, args);
      process.nextTick(() => done(null, value, args[1]));
      return undefined;
    };
  }
  // What would read or write by a stream over a descriptor.
  for (const name of ["createReadStream", "createWriteStream"]) {
    const native = all[name]!;
    all[name] = (...args) => {
      const { fd } = (typeof args[1] === "object" && args[1] !== null ? args[1] : {}) as { fd?: unknown };
      if (typeof fd === "number" && !own.has(fd)) throw refused(`descriptor ${fd}`, "Use process.stdout, or a path");
      return native(...args);
    };
  }
}

/** What becomes of a call on a descriptor that the cell did not open. */
function instead(name: string, descriptor: number, args: readonly unknown[]): { value: unknown } {
  if (descriptor === 0 && name === "read") return { value: 0 };
  if (descriptor === 0 && name === "readFile") return { value: emptyFile(args[1]) };
  if ((descriptor === 1 || descriptor === 2) && /^(write|writeFile|appendFile)$/.test(name)) {
    const bytes = bytesOf(name, args);
    outputDoubt.wrote = true;
    writeThrough(descriptor, bytes);
    return { value: name === "write" ? bytes.byteLength : undefined };
  }
  throw refused(`descriptor ${descriptor}`, "Use the files that the cell has opened itself, and console for output");
}

function emptyFile(options: unknown): unknown {
  const encoding = typeof options === "string" ? options : (options as { encoding?: string } | undefined)?.encoding;
  return encoding == null || encoding === "buffer" ? Buffer.alloc(0) : "";
}

/** `write(fd, text, position, encoding)` or `write(fd, bytes, offset, length)`; the length of either may be left out. */
function bytesOf(name: string, [, data, offset, length]: readonly unknown[]): Uint8Array {
  if (typeof data === "string") return Buffer.from(data, typeof length === "string" ? (length as "utf8") : "utf8");
  if (!ArrayBuffer.isView(data)) throw new TypeError(`${name} takes text or bytes.`);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (name !== "write") return bytes;
  const place = (typeof offset === "object" && offset !== null ? offset : { offset, length }) as {
    offset?: unknown;
    length?: unknown;
  };
  const start = typeof place.offset === "number" ? place.offset : 0;
  return bytes.subarray(start, typeof place.length === "number" ? start + place.length : undefined);
}

import { z } from "zod";

/** A length of time in seconds. */
export const seconds = z.number().positive().max(86_400);
/** A size in bytes, as a number or with its unit. */
export const bytes = z
  .union([
    z.int().positive(),
    z
      .string()
      .regex(/^\d+(\.\d+)?\s*(B|kB|KB|MB|GB|KiB|MiB|GiB)$/, "write a number of bytes, or such as 512MB or 2GiB"),
  ])
  .transform((size) => (typeof size === "number" ? size : parseSize(size)));

const units: Record<string, number> = {
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

function parseSize(size: string): number {
  const [, count, unit] = /^([\d.]+)\s*(\w+)$/.exec(size) ?? [];
  return Math.round(Number(count) * (units[unit ?? "B"] ?? 1));
}

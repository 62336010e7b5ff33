import { z } from "zod";

const text = z.string().min(1);

/** Where a secret may go: hosts as they stand in addresses, `*` for any characters, and names of toolkits. Absent: wherever a definition names it. */
const destinations = { for: z.array(text).min(1).optional() };

/** Where a secret is kept. Nothing but its name is ever shown. */
export const secretSource = z.union([
  /** A variable of the host. */
  z.strictObject({ env: text, ...destinations }),
  /** A file, relative to the base folder; a newline at its end does not count. */
  z.strictObject({ file: text, ...destinations }),
  /** A program and its arguments, whose output it is. */
  z.strictObject({ command: z.array(text).min(1), ...destinations }),
  /** A function of the program that opens the base, by its name there; it is asked for `name`, else for the secret's own. */
  z.strictObject({ provider: text, name: text.optional(), ...destinations }),
]);
export type SecretSource = z.output<typeof secretSource>;

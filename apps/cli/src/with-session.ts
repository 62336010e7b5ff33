import type { Session } from "artificer";
import { baseFolder, existingBaseFolder } from "./base-folder.js";
import type { CliIo } from "./context.js";
import type { BaseFlags } from "./shared-flags.js";

export interface SessionFlags extends BaseFlags {
  executor?: string;
}

/**
 * Opens a session, lends it to `use`, and closes it whatever happens, so that no kernel outlives the command.
 * What is off in the base is told on stderr, once.
 */
export async function withSession<T>(
  io: CliIo,
  flags: SessionFlags,
  use: (session: Session) => Promise<T>,
  options: { create?: boolean } = {},
): Promise<T> {
  const base = options.create ? baseFolder(io, flags.base) : existingBaseFolder(io, flags.base);
  // Loaded here and not above: help and a mistyped command must not wait for it.
  const { Session } = await import("artificer");
  const session = await Session.fromBase(base, { executor: flags.executor });
  try {
    for (const problem of session.problems) {
      io.stderr.write(`warning: ${problem.message}\n`);
      if (problem.hint !== undefined) io.stderr.write(`  hint: ${problem.hint}\n`);
    }
    return await use(session);
  } finally {
    await session.close();
  }
}

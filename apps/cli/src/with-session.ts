import type { Session, SessionProblem } from "artificer";
import { baseFolder, existingBaseFolder } from "./base-folder.js";
import type { CliIo } from "./context.js";
import { openExecutor } from "./open-executor.js";
import type { SessionFlags } from "./shared-flags.js";

/**
 * Opens a session, lends it to `use`, and closes it whatever happens, so that no kernel outlives the command.
 * What is off in the base is told on stderr, once; where that came up only in use, at the end.
 */
export async function withSession<T>(
  io: CliIo,
  flags: SessionFlags,
  use: (session: Session) => Promise<T>,
  options: { create?: boolean; longLived?: boolean } = {},
): Promise<T> {
  const base = options.create ? baseFolder(io, flags.base) : existingBaseFolder(io, flags.base);
  // Loaded here and not above: help and a mistyped command must not wait for it.
  const { Session } = await import("artificer");
  const executor = flags.executor === undefined ? undefined : await openExecutor(flags.executor);
  const session = await Session.fromBase(base, { executor, longLived: options.longLived });
  const told = new Set<SessionProblem>();
  const tellProblems = () => {
    for (const problem of session.problems) if (!told.has(problem)) tellProblem(io, problem);
    for (const problem of session.problems) told.add(problem);
  };
  try {
    tellProblems();
    return await use(session);
  } finally {
    tellProblems();
    await session.close();
    await executor?.close();
  }
}

function tellProblem(io: CliIo, { message, hint }: SessionProblem): void {
  io.stderr.write(`warning: ${message}\n`);
  if (hint !== undefined) io.stderr.write(`  hint: ${hint}\n`);
}

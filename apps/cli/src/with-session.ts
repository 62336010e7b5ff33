import type { Session, SessionProblem } from "artificer";
import type { CliIo } from "./context.js";
import type { SessionFlags } from "./shared-flags.js";
import { sessionBase, storageUrl } from "./storage-flags.js";

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
  const base = sessionBase(io, flags, options);
  const storage = storageUrl(io, flags);
  // Loaded here and not above: help and a mistyped command must not wait for it.
  const { Session } = await import("artificer");
  const session = await Session.fromBase(base, {
    executor: flags.executor,
    longLived: options.longLived,
    storage,
    allowRuntimeDeps: flags.runtimeDeps,
  });
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
  }
}

function tellProblem(io: CliIo, { message, hint }: SessionProblem): void {
  io.stderr.write(`warning: ${message}\n`);
  if (hint !== undefined) io.stderr.write(`  hint: ${hint}\n`);
}

import {
  ArtificerError,
  type Bindings,
  type CellChecker,
  type CodeProblem,
  type OutcomeData,
} from "@artificer/protocol";
import { renderTypescriptStubs } from "../tools/render-typescript-stubs.js";
import type { Toolset } from "../tools/toolset.js";
import type { KernelSlot } from "./kernel-slot.js";
import { listVariables } from "./read-variable.js";

/** Reads the cells of a slot before they run. */
export interface CellChecks {
  /**
   * Looks for errors of type against the names of the live kernel; runs nothing.
   *
   * @throws ArtificerError `cell/type-error`, whose details hold the `problems`; `cell/checker-missing`, `cell/check-failed`
   */
  check(slot: KernelSlot, code: string, options: { signal?: AbortSignal | undefined }): Promise<void>;
  /** Tells of a cell that has run, so that later ones know what it declared. */
  ran(code: string, outcome: OutcomeData): void;
  close(): Promise<void>;
}

const shownProblems = 6;

/** Joins a checker with what only the session knows: its tools, its kernel's names, its folder. */
export function createCellChecks(
  checker: CellChecker,
  { toolset, folder }: { toolset: Toolset; folder: () => Promise<string> },
): CellChecks {
  let rendered: { bindings: Bindings; text: string } | undefined;
  const tools = (): string => {
    const bindings = toolset.bindings("typescript");
    if (rendered?.bindings !== bindings) rendered = { bindings, text: renderTypescriptStubs(loosened(bindings)) };
    return rendered.text;
  };
  return {
    async check(slot, code, { signal }) {
      const context = { tools: tools(), names: [...slot.names], folder: await folder() };
      let problems = await checker.check(code, context, { signal });
      if (problems.length > 0) {
        // Names can come into being without being told: set on the global object, or by a skill.
        const known = new Set(context.names);
        const variables = await listVariables(slot.kernel).catch(() => []);
        const more = variables.map(({ name }) => name).filter((name) => !known.has(name));
        if (more.length > 0)
          problems = await checker.check(code, { ...context, names: [...context.names, ...more] }, { signal });
      }
      if (problems.length > 0) throw typeError(problems);
    },
    ran: (code, { status, names }) => checker.ran({ code, completed: status === "completed", names }),
    close: () => checker.close(),
  };
}

function typeError(problems: readonly CodeProblem[]): ArtificerError {
  const count = problems.length === 1 ? "an error of type" : `${problems.length} errors of type`;
  const lines = problems
    .slice(0, shownProblems)
    .map(({ line, column, code, message }) => `  ${line}:${column} ${code} ${message}`);
  if (problems.length > shownProblems) lines.push(`  … and ${problems.length - shownProblems} more`);
  return new ArtificerError("cell/type-error", `The cell has ${count}; nothing of it was run.\n${lines.join("\n")}`, {
    details: { problems: problems.map((one) => ({ ...one })) },
  });
}

/** A result of which nothing is known may be used as anything: the kernel does not mind. */
function loosened({ toolkits }: Bindings): Bindings {
  const loose = (type: string) =>
    type.replace(/"(?:[^"\\]|\\.)*"|\bunknown\b/g, (part) => (part === "unknown" ? "any" : part));
  return {
    toolkits: toolkits.map((toolkit) => ({
      ...toolkit,
      tools: toolkit.tools.map((tool) => ({
        ...tool,
        returns: loose(tool.returns),
        parameters: tool.parameters.map((one) => ({ ...one, type: loose(one.type) })),
      })),
    })),
  };
}

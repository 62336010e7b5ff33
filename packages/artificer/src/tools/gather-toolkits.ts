import { type Toolkit, toArtificerError } from "@artificer/protocol";
import { duplicateToolkit, type ToolProblem } from "@artificer/tools/cli";

/** Toolkits, and what is wrong with the others. */
export interface ToolLoad {
  toolkits: Toolkit[];
  problems: ToolProblem[];
}

/** Sorts what was opened; of two toolkits with one name the second is closed and told. */
export function gatherToolkits(
  opened: readonly { source: string; result: PromiseSettledResult<Toolkit> }[],
  problems: ToolProblem[] = [],
): ToolLoad {
  const sources = new Map<string, string>();
  const toolkits: Toolkit[] = [];
  for (const { source, result } of opened) {
    if (result.status === "rejected") {
      problems.push({ source, error: toArtificerError(result.reason, "tool/definition-invalid") });
      continue;
    }
    const { name } = result.value;
    const other = sources.get(name);
    if (other === undefined) {
      sources.set(name, source);
      toolkits.push(result.value);
    } else {
      problems.push({ source, error: duplicateToolkit(name, source, other) });
      void result.value.close?.().catch(() => {});
    }
  }
  return { toolkits, problems };
}

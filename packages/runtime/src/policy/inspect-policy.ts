import type { ArtificerError, EffectClass, Toolkit } from "@artificer/protocol";
import { createToolset } from "../tools/create-toolset.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import { checkPolicy, checkPolicyTools } from "./check-policy.js";
import { createPolicyLayer } from "./policy-layer.js";
import type { PolicyAction, PolicyOptions } from "./policy-options.js";

/** What a policy makes of one tool that is called without arguments. */
export interface InspectedTool {
  path: string;
  effect: EffectClass;
  action: PolicyAction;
}

/**
 * What a policy says of the tools there are, without running any.
 *
 * @throws ArtificerError `policy/invalid`, `policy/unknown-tool`, `policy/not-cacheable`
 */
export function inspectPolicy(
  policy: PolicyOptions,
  toolkits: readonly Toolkit[],
): { tools: InspectedTool[]; problems: ArtificerError[] } {
  const options = checkPolicy(policy);
  const layer = createPolicyLayer(options);
  const problems: ArtificerError[] = [];
  let entries: readonly ToolEntry[] = [];
  createToolset({
    toolkits,
    gate: {
      effectOf: layer.effectOf,
      adopt(found) {
        entries = found;
        checkPolicyTools(options, found, (problem) => problems.push(problem));
      },
      lets: () => true,
      call: (_call, goOn) => goOn({}),
    },
  });
  const tools = entries.map((entry): InspectedTool => {
    const { action } = layer.rulesFor(entry).verdict({ args: {}, skills: [], agent: "main" });
    const waits = entry.definition.needs !== undefined && action === "allow";
    return { path: entry.path, effect: entry.definition.effect, action: waits ? "ask" : action };
  });
  return { tools, problems };
}

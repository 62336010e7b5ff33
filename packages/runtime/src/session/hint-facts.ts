import type { HintFacts } from "../cell/failure-hint.js";
import type { Toolset } from "../tools/toolset.js";
import type { CoreSessionOptions } from "./session-options.js";

/** What hints on failures may say of this session. */
export function hintFacts(options: CoreSessionOptions, toolset: Toolset): HintFacts {
  const noInstaller = options.depInstaller === undefined ? "no installer" : undefined;
  return {
    depsClosed: options.allowRuntimeDeps === false ? "locked" : noInstaller,
    resultMembers(path) {
      const outputSchema = toolset.list().find((tool) => tool.path === path)?.definition.outputSchema;
      const { properties } = outputSchema ?? {};
      return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
    },
  };
}

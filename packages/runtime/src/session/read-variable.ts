import { ArtificerError, nearestName, type Value, type VariableInfo, variablesListResult } from "@artificer/protocol";
import type { Kernel } from "../kernel/kernel.js";

/** The user's variables; none without a kernel. */
export async function listVariables(kernel: Kernel | undefined): Promise<VariableInfo[]> {
  return kernel === undefined ? [] : variablesListResult.parse(await kernel.request("variables.list", {}).reply);
}

/**
 * One of the user's variables as data: read between two cells, and never run.
 *
 * @throws ArtificerError `session/unknown-variable`; what the codec refuses, with the path to it.
 */
export async function readVariable(kernel: Kernel | undefined, name: string): Promise<Value> {
  try {
    if (kernel !== undefined) return await kernel.request("variables.value", { name }).reply;
  } catch (thrown) {
    if (!ArtificerError.is(thrown, "session/unknown-variable")) throw thrown;
  }
  const names = (await listVariables(kernel)).map((row) => row.name);
  const nearest = nearestName(name, names);
  throw new ArtificerError("session/unknown-variable", `There is no variable ${JSON.stringify(name)}.`, {
    details: { name, known: names.slice(0, 100) },
    hint:
      nearest === undefined
        ? "session.variables() lists them; a cell has to make one first."
        : `Did you mean ${nearest}?`,
  });
}

import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { configSchema, executorKinds } from "../src/config/config-schema.js";
import { executorFromConfig } from "../src/executor/executor-from-config.js";

it("has each executor's row of the matrix as it is declared, in docs/executors.md", async () => {
  const page = await readFile(new URL("../../../docs/executors.md", import.meta.url), "utf8");
  for (const kind of executorKinds) {
    const { isolation, network, limits, kill } = executorFromConfig(kind, configSchema.parse({}), {
      base: "/base",
    }).capabilities;
    const others = limits.filter((limit) => limit !== "processes").join(", ");
    const bounds = kind === "subprocess" ? `${others}, and processes unless root runs it` : `${others}, processes`;
    const cells = [kind, isolation, network, bounds, kill ? "is killed" : "stays"];
    expect(page).toContain(`| ${cells.join(" | ")} |\n`);
  }
});

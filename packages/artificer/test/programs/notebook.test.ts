import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPythonKernel } from "@artificer/kernel-python";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, Session } from "../../src/index.js";
import { useTempFolder } from "../session/temp-folder.js";
import { plottingPython } from "../support/plotting-python.js";
import { notebookCells } from "./notebook-cells.js";

const temp = useTempFolder();
let session: Session | undefined;
afterEach(() => session?.close());

const bank = createToolkit({
  name: "bank",
  description: "Rates of exchange",
  tools: {
    rate: defineTool({
      description: "The rate of a currency",
      input: z.object({ currency: z.string() }),
      effect: "read",
      run: async ({ currency }) => ({ currency, rate: currency.length }),
    }),
  },
});

const ordinary = (await createPythonKernel().findInterpreter()).path;
const plotting = await plottingPython();
const kinds = [{ python: ordinary, matplotlib: ordinary === plotting }];
if (plotting !== undefined && plotting !== ordinary) kinds.push({ python: plotting, matplotlib: true });

it.each(kinds)(
  "a notebook of forty cells runs in one session, with matplotlib: $matplotlib",
  async ({ python, matplotlib }) => {
    const folder = await temp();
    const cwd = await temp();
    const cells = notebookCells({ matplotlib });
    expect(cells).toHaveLength(40);
    await writeFile(join(folder, "config.yaml"), JSON.stringify({ python: { interpreter: python } }));
    const options = { id: "notebook", embedder: null, cwd, tools: [bank], snapshot: { debounceMs: 20 } };
    const open = () => Session.fromBase(folder, options);
    session = await open();
    for (const [index, cell] of cells.entries()) {
      const outcome = await session.run(cell.code, { timeoutMs: cell.timeoutMs ?? 60_000 });
      const told = `cell ${index + 1}, ${cell.title}: ${outcome.toText()}`;
      expect(outcome.status, told).toBe(cell.status ?? "completed");
      expect(outcome.cell, told).toBe(index + 1);
      try {
        cell.check?.(outcome);
      } catch (error) {
        throw new Error(told, { cause: error });
      }
      if (cell.behind === undefined) continue;
      await session.snapshot();
      if (cell.behind === "another session") {
        await session.close();
        session = await open();
      } else {
        process.kill(outcome.value as number, "SIGKILL");
        // Until it has been reaped, which is when its end is noticed.
        await expect.poll(() => isThere(outcome.value as number)).toBe(false);
      }
    }
  },
  300_000,
);

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

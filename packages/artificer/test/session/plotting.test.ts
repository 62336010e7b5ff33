import { afterEach, describe, expect, it } from "vitest";
import { type Display, Session } from "../../src/index.js";
import { plottingPython, writeStandIns } from "../support/plotting-python.js";
import { useTempFolder } from "./temp-folder.js";

const tempFolder = useTempFolder();
const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

async function start(python: string | undefined): Promise<Session> {
  const cwd = await tempFolder();
  if (python === undefined) await writeStandIns(cwd);
  const session = new Session({ embedder: null, cwd, ...(python === undefined ? {} : { interpreters: { python } }) });
  open.push(session);
  return session;
}

function isPicture({ data }: Display): boolean {
  const png = data["image/png"];
  return png instanceof Uint8Array && Buffer.from(png).subarray(1, 4).toString() === "PNG";
}

const python = await plottingPython();
const kinds: [string, string | undefined][] = [["stand-ins", undefined]];
if (python !== undefined) kinds.push(["matplotlib and pandas", python]);

describe.each(kinds)("with %s", (_kind, interpreter) => {
  it("a figure is shown without asking, once, at the cell's end [A5]", async () => {
    const session = await start(interpreter);
    const outcome = await session.run("import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nprint('drawn')", {
      timeoutMs: 120_000,
    });
    expect(outcome).toMatchObject({ status: "completed", stdout: "drawn\n", stderr: "" });
    expect(outcome.displays.map(isPicture)).toEqual([true]);
    expect(outcome.toText()).toContain("[shown: image/png");
    expect((await session.run("plt.get_fignums()")).value).toEqual([]);
  });

  it("show() shows there and then, warns of nothing, and nothing is shown twice [A5]", async () => {
    const session = await start(interpreter);
    const order: string[] = [];
    const outcome = await session.run(
      `
import matplotlib.pyplot as plt
plt.plot([1])
plt.show()
print("between")
figure = plt.figure()
figure.show()
figure = plt.figure()
figure`,
      { timeoutMs: 120_000, onDisplay: () => order.push("display"), onOutput: ({ text }) => order.push(text) },
    );
    expect(outcome).toMatchObject({ status: "completed", stderr: "", stdout: "between\n" });
    expect(outcome.displays.map(isPicture)).toEqual([true, true, true]);
    expect(order.indexOf("display")).toBe(0);
  });

  it("a table is kept as a page and told to the model as text, once [A5]", async () => {
    const session = await start(interpreter);
    const outcome = await session.run("import pandas as pd\npd.DataFrame({'a': [11, 22], 'b': [33, 44]})", {
      timeoutMs: 120_000,
    });
    expect(outcome.status).toBe("completed");
    expect(outcome.displays).toHaveLength(1);
    expect(outcome.displays[0]!.data["text/html"]).toContain("<td>33</td>");
    expect(outcome.displays[0]!.data["text/plain"]).toBe(outcome.repr);
    expect(outcome.toText().split("33")).toHaveLength(2);
    expect((await session.run("_.shape == Out[1].shape == (2, 2)")).value).toBe(true);
  });
});

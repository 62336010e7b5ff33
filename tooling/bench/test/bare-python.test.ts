import { createPythonKernel } from "artificer";
import { expect, it } from "vitest";
import { type BarePython, echoProgram, openBarePython, pourProgram } from "../src/bare-python.js";

const { path: python } = await createPythonKernel().findInterpreter();

async function using(program: string, use: (bare: BarePython) => Promise<void>): Promise<void> {
  const bare = await openBarePython(python, program);
  try {
    await use(bare);
  } finally {
    await bare.close();
  }
}

it("exchanges one line, and many at once, with the interpreter", () =>
  using(echoProgram, async (bare) => {
    const lines = Buffer.from("1+1\n".repeat(1000));
    await bare.exchange(lines.subarray(0, 4), 4);
    await expect(bare.exchange(lines, lines.byteLength)).resolves.toBeUndefined();
  }));

it("reads 16 MiB for every byte it sends", () =>
  using(pourProgram, async (bare) => {
    for (let turn = 0; turn < 2; turn += 1) await bare.exchange(Buffer.from("."), 16 * 2 ** 20);
  }));

it("says so when the interpreter ends instead of answering", () =>
  using("raise SystemExit(3)", async (bare) => {
    await expect(bare.exchange(Buffer.from("1\n"), 2)).rejects.toThrow("ended with 3");
  }));

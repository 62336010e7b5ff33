// `pnpm bench`: a table of times, ours beside the machine's own limit. `--json` gives the numbers; other words choose rows by name.
import { availableParallelism, cpus } from "node:os";
import { createPythonKernel } from "artificer";
import { measureRow, NotMeasured, type RowResult } from "./measure-row.js";
import { renderTable } from "./render-table.js";
import { containerStart, typescriptContainerStart } from "./rows/container-start.js";
import { inprocessStart, sandboxStart, typescriptSandboxStart } from "./rows/executor-start.js";
import { firstCell } from "./rows/first-cell.js";
import { firstCellFromPool } from "./rows/first-cell-from-pool.js";
import { firstTypescriptCell } from "./rows/first-typescript-cell.js";
import { gatheredToolCalls } from "./rows/gathered-tool-calls.js";
import { largeBytes } from "./rows/large-bytes.js";
import { sequentialToolCalls } from "./rows/sequential-tool-calls.js";
import { snapshotOfOne } from "./rows/snapshot-of-one.js";
import { warmCell } from "./rows/warm-cell.js";
import { warmTypescriptCell } from "./rows/warm-typescript-cell.js";

const rows = [
  warmCell,
  warmTypescriptCell,
  sequentialToolCalls,
  gatheredToolCalls,
  largeBytes,
  firstCell,
  firstCellFromPool,
  firstTypescriptCell,
  sandboxStart,
  typescriptSandboxStart,
  inprocessStart,
  containerStart,
  typescriptContainerStart,
  snapshotOfOne,
];
const words = process.argv.slice(2);
const asJson = words.includes("--json");
const wanted = words.filter((word) => !word.startsWith("--"));
const chosen = rows.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
if (chosen.length === 0) {
  console.error(
    `No row has "${wanted.join('" or "')}" in its name. There are: ${rows.map(({ name }) => name).join("; ")}.`,
  );
  process.exit(2);
}

const python = await createPythonKernel().findInterpreter();
const machine = {
  node: process.version,
  python: python.version,
  processor: cpus()[0]?.model.trim() ?? "unknown",
  cores: availableParallelism(),
  platform: `${process.platform} ${process.arch}`,
};
const results: RowResult[] = [];
const notMeasured: string[] = [];
for (const row of chosen) {
  if (!asJson) console.error(`measuring: ${row.name}`);
  try {
    results.push(await measureRow(row, { python: python.path }));
  } catch (error) {
    if (!(error instanceof NotMeasured)) throw error;
    notMeasured.push(error.message);
  }
}

if (asJson) {
  console.log(JSON.stringify({ machine, rows: results, notMeasured }, null, 2));
} else {
  const { node, processor, cores, platform } = machine;
  console.log(`\nNode ${node}, Python ${python.version}, ${cores} cores of ${processor}, ${platform}\n`);
  console.log(renderTable(results));
  for (const row of notMeasured) console.log(`not measured here: ${row}`);
}

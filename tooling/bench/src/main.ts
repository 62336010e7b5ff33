// `pnpm bench`: a table of times, ours beside the machine's own limit. `--json` gives the numbers; other words choose rows by name.
import { availableParallelism, cpus } from "node:os";
import { createPythonKernel } from "artificer";
import { measureRow, type RowResult } from "./measure-row.js";
import { renderTable } from "./render-table.js";
import { firstCell } from "./rows/first-cell.js";
import { firstCellFromPool } from "./rows/first-cell-from-pool.js";
import { gatheredToolCalls } from "./rows/gathered-tool-calls.js";
import { largeBytes } from "./rows/large-bytes.js";
import { sandboxStart } from "./rows/sandbox-start.js";
import { sequentialToolCalls } from "./rows/sequential-tool-calls.js";
import { snapshotOfOne } from "./rows/snapshot-of-one.js";
import { warmCell } from "./rows/warm-cell.js";
import { storageRows } from "./storage/storage-rows.js";

const usual = [
  warmCell,
  sequentialToolCalls,
  gatheredToolCalls,
  largeBytes,
  firstCell,
  firstCellFromPool,
  sandboxStart,
  snapshotOfOne,
];
const words = process.argv.slice(2);
const asJson = words.includes("--json");
const wanted = words.filter((word) => !word.startsWith("--"));
// Those of storage take minutes: they are run when they are asked for.
const rows = wanted.length === 0 ? usual : [...usual, ...storageRows];
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
for (const row of chosen) {
  if (!asJson) console.error(`measuring: ${row.name}`);
  results.push(await measureRow(row, { python: python.path }));
}

if (asJson) {
  console.log(JSON.stringify({ machine, rows: results }, null, 2));
} else {
  const { node, processor, cores, platform } = machine;
  console.log(`\nNode ${node}, Python ${python.version}, ${cores} cores of ${processor}, ${platform}\n`);
  console.log(renderTable(results));
}

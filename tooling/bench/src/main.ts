// `pnpm bench`: a table of times, ours beside the machine's own limit. `--json` gives the numbers; other words choose rows
// and reports by name. `pnpm bench soak` runs what takes minutes.
import { availableParallelism, cpus } from "node:os";
import { createPythonKernel } from "artificer";
import { measureRow, NotMeasured, type RowResult } from "./measure-row.js";
import { renderFigures, renderRow, renderTable } from "./render-table.js";
import type { Figure } from "./report.js";
import { idleMemory } from "./reports/idle-memory.js";
import { learnOneSkillReport } from "./reports/learn-one-skill.js";
import { soakManySessions, soakManySessionsCapped } from "./reports/soak-many-sessions.js";
import { soakInFiles, soakInMemory, soakIpython, soakTypescript } from "./reports/soak-one-session.js";
import { containerStart, typescriptContainerStart } from "./rows/container-start.js";
import { deathNoticed } from "./rows/death-noticed.js";
import { inprocessStart, sandboxStart, typescriptSandboxStart } from "./rows/executor-start.js";
import { firstCell } from "./rows/first-cell.js";
import { firstCellFromPool } from "./rows/first-cell-from-pool.js";
import { firstTypescriptCell } from "./rows/first-typescript-cell.js";
import { gatheredToolCalls } from "./rows/gathered-tool-calls.js";
import { largeBytes } from "./rows/large-bytes.js";
import { sequentialToolCalls } from "./rows/sequential-tool-calls.js";
import { snapshotOfOne } from "./rows/snapshot-of-one.js";
import { typeCheck } from "./rows/type-check.js";
import { warmCell } from "./rows/warm-cell.js";
import { warmTypescriptCell } from "./rows/warm-typescript-cell.js";
import { closeStorageRows, storageRows } from "./storage/storage-rows.js";

const usual = [
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
  typeCheck,
  deathNoticed,
];
const reports = [
  idleMemory,
  learnOneSkillReport,
  soakInFiles,
  soakInMemory,
  soakTypescript,
  soakIpython,
  soakManySessions,
  soakManySessionsCapped,
];
const words = process.argv.slice(2);
const asJson = words.includes("--json");
const wanted = words.filter((word) => !word.startsWith("--"));
// Those of storage take minutes: they are run when they are asked for.
const rows = wanted.length === 0 ? usual : [...usual, ...storageRows];
const isWanted = (name: string) => wanted.some((word) => name.includes(word));
const chosen = rows.filter(({ name }) => wanted.length === 0 || isWanted(name));
const chosenReports = reports.filter(({ name, onRequest }) => (wanted.length === 0 ? !onRequest : isWanted(name)));
if (chosen.length + chosenReports.length === 0) {
  const names = [...rows, ...reports].map(({ name }) => name);
  console.error(`Nothing has "${wanted.join('" or "')}" in its name. There are: ${names.join("; ")}.`);
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
const say = (text: string) => {
  if (!asJson) console.error(text);
};
const results: RowResult[] = [];
const notMeasured: string[] = [];
for (const row of chosen) {
  say(`measuring: ${row.name}`);
  try {
    const result = await measureRow(row, { python: python.path });
    results.push(result);
    say(renderRow(result));
  } catch (error) {
    if (!(error instanceof NotMeasured)) throw error;
    const reason = error.message.startsWith(row.name) ? error.message : `${row.name}: ${error.message}`;
    notMeasured.push(reason);
    say(`not measured here: ${reason}`);
  }
}
await closeStorageRows();
const told: { name: string; figures: Figure[] }[] = [];
for (const { name, measure } of chosenReports) {
  const onProgress = (text: string) => say(`measuring: ${name}: ${text}`);
  onProgress("begins");
  told.push({ name, figures: await measure({ python: python.path }, onProgress) });
}

if (asJson) {
  console.log(JSON.stringify({ machine, rows: results, reports: told, notMeasured }, null, 2));
} else {
  const { node, processor, cores, platform } = machine;
  console.log(`\nNode ${node}, Python ${python.version}, ${cores} cores of ${processor}, ${platform}\n`);
  if (results.length > 0) console.log(renderTable(results));
  for (const { name, figures } of told) console.log(`\n${renderFigures(name, figures)}`);
  for (const row of notMeasured) console.log(`not measured here: ${row}`);
}

// write-until-killed TARGET ROUND: writes without end; tells each write before it begins and after it is acknowledged.
import { writeSync } from "node:fs";
import { digits } from "../digits.js";
import { openTarget, type ProgramTarget } from "../shared-storage.js";

const [target = "", round] = process.argv.slice(2);
const { records, blobs } = await openTarget(JSON.parse(target) as ProgramTarget);
// Synchronous, so that no line is lost with the process.
const tell = (line: string) => writeSync(1, `${line}\n`);

for (let n = 0; ; n++) {
  const key = `${round}-${n % 3}`;
  tell(`begin ${key} ${n}`);
  const length = 10_000 + n * 200_000;
  await blobs.write(`blobs/${key}`, digits(n, length), { metadata: { n, length } });
  await records.put(`records/${key}`, { n, filler: String(n % 10).repeat(5_000) });
  tell(`done ${key} ${n}`);
}

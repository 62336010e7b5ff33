// `pnpm examples`: runs every built example, one after another; one passes when it ends with 0 in time. Names as arguments choose some.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const timeoutMs = 300_000;
const built = join(import.meta.dirname, "dist");
const chosen = process.argv.slice(2);

const found = readdirSync(join(import.meta.dirname, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(import.meta.dirname, "src", entry.name, "main.ts")))
  .map((entry) => entry.name)
  .sort();

let passed = 0;
let failed = 0;
for (const name of chosen.length > 0 ? chosen : found) {
  const problem = found.includes(name)
    ? await problemOf(join(built, name, "main.js"))
    : `unknown; there are ${found.join(", ")}`;
  if (problem === undefined) passed += 1;
  else failed += 1;
  console.log(`${problem === undefined ? "passed" : "FAILED"}  ${name}${problem === undefined ? "" : `: ${problem}`}`);
}
if (found.length === 0) {
  console.log("FAILED  no example was found under examples/src");
  failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function problemOf(program) {
  if (!existsSync(program)) return `${program} isn't built; run \`npm run build\``;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => {
      if (code === 0) return resolve(undefined);
      process.stdout.write(Buffer.concat(chunks));
      resolve(signal === null ? `ended with ${code}` : `ended by ${signal} (${timeoutMs / 1000} s is the limit)`);
    });
  });
}

// session-on-full-disk.mjs BASE ELSEWHERE: works in a session whose base is on a small disk, fills the disk, makes room again, and tells as JSON
// what came of it.
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openStorage, Session } from "../../dist/index.js";

const [base, elsewhere] = process.argv.slice(2);
const open = () =>
  Session.fromBase(base, {
    id: "s",
    embedder: null,
    home: elsewhere,
    cwd: elsewhere,
    snapshot: { debounceMs: 3_600_000 },
  });
const short = ({ status, value, error, notices, truncated }) => ({
  status,
  value,
  error: error?.message,
  notices,
  truncated,
});
const code = (promise) =>
  promise.then(
    () => "done",
    (error) => `${error.code}: ${error.hint ?? ""}`,
  );
const source = (name) =>
  `# ---\n# name: ${name}\n# description: ${name}\n# ---\ndef run():\n    return ${JSON.stringify(name)}\n`;
const ballast = join(base, ".state", "ballast");

/** What the journal has, by kinds and cells. */
async function history() {
  const storage = await openStorage(base);
  const { items } = await storage.records.list("journal/s/");
  await storage.close();
  return items.flatMap(({ value }) => value.entries.map(({ kind, cell }) => `${kind} ${cell}`));
}

/** Until not one byte more goes in. */
function fill() {
  const file = openSync(ballast, "a");
  for (let bytes = 1024 * 1024; bytes > 0; ) {
    try {
      writeSync(file, Buffer.alloc(bytes));
    } catch {
      bytes = Math.floor(bytes / 2);
    }
  }
  closeSync(file);
}

const report = {};
const session = await open();
await session.run("x = [1]\nartifacts.save('kept', {'n': 1})");
await session.createSkill({ name: "kept", source: source("kept") });
report.savedBefore = (await session.snapshot())?.saved;
while ((await history()).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));

fill();
report.working = short(
  await session.run(`x.append(2)
y = "y" * 100_000
codes = []
for attempt in (
    lambda: artifacts.save("new", {"n": 2}),
    lambda: artifacts.save("kept", {"n": 2, "more": "z" * 20_000}),
    lambda: skills.create(name="newer", source=${JSON.stringify(source("newer"))}),
):
    try:
        attempt()
        codes.append("done")
    except Exception as error:
        codes.append(getattr(error, "code", repr(error)))
del attempt  # a lambda, which not every interpreter can keep
codes`),
);
report.printing = short(await session.run("print('p' * 200_000)\n'end'"));
report.large = short(await session.run("'v' * 3_000_000"));
report.byHost = [
  await code(session.saveArtifact("by-host", { n: 1 })),
  await code(session.createSkill({ name: "by_host", source: source("by_host") })),
];
await session.snapshot();
report.reading = short(await session.run("[artifacts.load('kept'), skills.kept(), x, artifacts.exists('new')]"));
report.problems = session.problems.map(({ code, message }) => `${code}: ${message}`);

rmSync(ballast);
report.again = short(
  await session.run(
    "artifacts.save('new', {'n': 2})\nskills.create(name='newer', source=" +
      JSON.stringify(source("newer")) +
      ")\nskills.newer()",
  ),
);
report.savedAgain = (await session.snapshot())?.saved;
await session.close();

const later = await open();
report.later = short(await later.run("[x, len(y), artifacts.load('new'), artifacts.load('kept')]"));
await later.close();
report.history = await history();
console.log(JSON.stringify(report, null, 1));

// search-skills TARGET PAUSE: for each line on its input, searches skills for it and tells as JSON what it found and what it had to do for that.
import { createInterface } from "node:readline";
import { openSharedLibrary } from "../open-shared-library.js";
import { openTarget, type ProgramTarget } from "../shared-storage.js";

const [target = "", pause] = process.argv.slice(2);
const storage = await openTarget(JSON.parse(target) as ProgramTarget);
const { library, embedded, analysed } = await openSharedLibrary(storage, Number(pause ?? 0));
console.log("{}");
for await (const query of createInterface({ input: process.stdin })) {
  const before = { embedded: embedded.length, analysed: analysed.length };
  const hits = await library.search(query, { limit: 3 });
  console.log(
    JSON.stringify({
      names: hits.map(({ name }) => name),
      embedded: embedded.slice(before.embedded),
      analysed: analysed.length - before.analysed,
    }),
  );
}
await storage.close();

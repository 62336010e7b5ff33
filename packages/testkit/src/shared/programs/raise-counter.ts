// raise-counter TARGET WRITERS TIMES: as many writers at once raise a record and a blob by compare-and-set, in competition with others.
import { ArtificerError } from "@artificer/protocol";
import { blobText, utf8 } from "../../storage/blob-bytes.js";
import { openTarget, type ProgramTarget } from "../shared-storage.js";

const [target = "", writers, times] = process.argv.slice(2);
const { records, blobs, close } = await openTarget(JSON.parse(target) as ProgramTarget);

async function retried(attempt: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!ArtificerError.is(error, "storage/conflict")) throw error;
    }
  }
}

async function raise(): Promise<void> {
  for (let round = 0; round < Number(times); round++) {
    await retried(async () => {
      const stored = await records.get("counter");
      const n = Number(stored?.value.n ?? 0) + 1;
      await records.put("counter", { n }, { ifRevision: stored?.revision ?? null });
    });
    await retried(async () => {
      const info = await blobs.stat("counter.txt");
      const n = Number(info?.metadata.n ?? 0) + 1;
      await blobs.write("counter.txt", utf8(String(n)), { ifRevision: info?.revision ?? null, metadata: { n } });
      if (n % 10 === 0) await blobText(blobs, "counter.txt");
    });
  }
}

await Promise.all(Array.from({ length: Number(writers) }, raise));
await close();

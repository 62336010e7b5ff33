import assert from "node:assert/strict";
import { once } from "node:events";
import type { Storage } from "@artificer/protocol";
import { blobText, utf8 } from "../storage/blob-bytes.js";
import { startProgram } from "./run-program.js";
import type { ProgramTarget } from "./shared-storage.js";

/**
 * Kills a writer in mid-write and looks at what it left: what was acknowledged, or what came after it, each whole.
 *
 * @param look gives the storage to look with, once the writer is dead.
 * @returns whether a write was under way when it was killed.
 */
export async function killWriter(look: () => Promise<Storage>, target: ProgramTarget, round: number): Promise<boolean> {
  const child = startProgram("write-until-killed", target, [String(round)]);
  let told = "";
  await new Promise<void>((resolve, reject) => {
    child.once("close", (code) => reject(new Error(`the writer ended by itself, with ${code}, after: ${told}`)));
    child.stdout?.on("data", (data: Buffer) => {
      told += data.toString();
      // Another number of lines each round, and so another moment in the writer's work.
      if (told.split("\n").length > 3 + (round % 7)) resolve();
    });
  });
  for (let turn = 0; turn < (round % 5) * 4; turn++) await new Promise((resolve) => setImmediate(resolve));
  child.kill("SIGKILL");
  await once(child, "close");
  const storage = await look();

  const begun = new Map<string, number>();
  const done = new Map<string, number>();
  const lines = told.trim().split("\n");
  for (const [verb, key = "", n] of lines.map((line) => line.split(" "))) {
    (verb === "begin" ? begun : done).set(key, Number(n));
  }
  let underWay = false;
  for (const [key, latest] of begun) {
    const acknowledged = done.get(key);
    if (acknowledged !== latest) underWay = true;
    const allowed = [acknowledged, latest];
    const info = await storage.blobs.stat(`blobs/${key}`);
    assert.ok(allowed.includes(info?.metadata.n as number | undefined), `${key} has version ${info?.metadata.n}`);
    if (info !== undefined) {
      const { n, length } = info.metadata as { n: number; length: number };
      const text = await blobText(storage.blobs, `blobs/${key}`);
      assert.ok(text === String(n % 10).repeat(length), `version ${n} has ${text.length} bytes of ${length}`);
    }
    const record = await storage.records.get(`records/${key}`);
    assert.ok(allowed.includes(record?.value.n as number | undefined), `${key} has version ${record?.value.n}`);
    if (record) assert.equal(record.value.filler, String(Number(record.value.n) % 10).repeat(5_000));
    // Nothing that the dead writer held holds others up.
    await storage.blobs.write(`blobs/${key}`, utf8("next"));
    await storage.records.put(`records/${key}`, { n: "next" });
  }
  return underWay;
}

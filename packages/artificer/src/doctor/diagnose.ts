import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createLocalEmbedder } from "@artificer/embeddings/local";
import { createPythonKernel } from "@artificer/kernel-python";
import { checkBase } from "./check-base.js";
import { checkConfig } from "./check-config.js";
import { checkEmbedder } from "./check-embedder.js";
import { checkExecutors } from "./check-executors.js";
import { checkNode } from "./check-node.js";
import { checkPython } from "./check-python.js";
import { checkSnapshotKey } from "./check-snapshot-key.js";
import { checkStore } from "./check-store.js";
import { checkTools } from "./check-tools.js";
import { checkVenv } from "./check-venv.js";
import type { DoctorCheck, DoctorReport } from "./doctor-report.js";

/** Looks at everything that a base needs to work here, and lays out nothing. What is wrong is a check that failed, never thrown. */
export async function diagnose(options: {
  base: string;
  /** The URL of the storage, in place of the configuration's. */
  storage?: string;
  signal?: AbortSignal;
}): Promise<DoctorReport> {
  const base = resolve(options.base);
  const { signal } = options;
  const { config, check: configuration } = await checkConfig(base);
  const embedder = config.embeddings.engine === "none" ? undefined : createLocalEmbedder();
  const checks: DoctorCheck[] = [
    checkNode(),
    await checkPython(createPythonKernel(), { path: config.python.interpreter, signal }),
    ...(await checkVenv(config, { base, signal })),
    ...(await checkExecutors(config, { base, signal })),
    await checkBase(base),
    configuration,
    // Where there is no base, there is nothing kept and no tool to look at.
    ...(existsSync(join(base, "tools")) || options.storage !== undefined || config.storage !== undefined
      ? await checkStore(base, config, { storage: options.storage, signal })
      : []),
    ...(await checkSnapshotKey(base, config, { storage: options.storage })),
    ...(existsSync(join(base, "tools")) ? await checkTools(base, config) : []),
    await checkEmbedder(embedder, { signal }),
  ];
  return { usable: checks.every(({ status }) => status !== "fail"), checks };
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import { type Config, configSchema } from "../config/config-schema.js";
import { parseConfig } from "../config/parse-config.js";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

/** Whether `config.yaml` is valid; the configuration is the default one where it is not. */
export async function checkConfig(base: string): Promise<{ check: DoctorCheck; config: Config }> {
  const file = join(base, "config.yaml");
  const name = "config";
  try {
    const config = parseConfig(await readFile(file, "utf8"), file);
    return { config, check: { name, status: "ok", detail: `${file} is valid` } };
  } catch (thrown) {
    const config = configSchema.parse({});
    const { code, message } = thrown as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") {
      return { config, check: { name, status: "ok", detail: "no config.yaml: the defaults hold" } };
    }
    const error = ArtificerError.is(thrown) ? thrown : new ArtificerError("config/unreadable", `${file}: ${message}`);
    return { config, check: failedCheck(name, error) };
  }
}

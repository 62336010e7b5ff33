import { existsSync } from "node:fs";
import { join } from "node:path";
import { artificerHome } from "@artificer/runtime";
import { type Config, configSchema } from "../config/config-schema.js";
import { readConfig } from "../config/read-config.js";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

/** Whether the base's and the user's `config.yaml` are valid; the configuration is the default one where one is not. */
export async function checkConfig(
  base: string,
  { home = artificerHome() } = {},
): Promise<{ check: DoctorCheck; config: Config }> {
  const name = "config";
  try {
    const config = await readConfig({ base, home });
    const files = [base, home].map((folder) => join(folder, "config.yaml")).filter((file) => existsSync(file));
    const detail = files.length === 0 ? "no config.yaml: the defaults hold" : `${files.join(" over ")} is valid`;
    return { config, check: { name, status: "ok", detail } };
  } catch (thrown) {
    return { config: configSchema.parse({}), check: failedCheck(name, thrown) };
  }
}

import type { Config } from "../config/config-schema.js";
import { createVenv } from "../venv/create-venv.js";
import { venvsFolder } from "../venv/session-venv.js";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

/** The virtual environment that a base asks for, or nothing. It is looked at, not made. */
export async function checkVenv(
  config: Config,
  { base, signal }: { base: string; signal?: AbortSignal | undefined },
): Promise<DoctorCheck[]> {
  const { venv, interpreter } = config.python;
  if (venv === undefined) return [];
  try {
    const place = createVenv({ ...venv, interpreter, args: config.deps.install_args, folder: venvsFolder(base) });
    const { made, environment, base: python } = await place.locate({ signal });
    const packages = venv.packages.length === 0 ? "no packages" : venv.packages.join(", ");
    const state = made ? `made, at ${environment}` : `made by the first Python cell, at ${environment}`;
    return [
      { name: "venv", status: "ok", detail: `Python ${python.version} of ${python.path}, ${packages}; ${state}` },
    ];
  } catch (thrown) {
    return [failedCheck("venv", thrown)];
  }
}

import { loadCliToolkits } from "@artificer/tools/cli";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

/** Which tools of a folder can be called; one check more for each definition that is broken or lacks its program. */
export async function checkTools(folder: string): Promise<DoctorCheck[]> {
  const name = "tools";
  try {
    const { toolkits, problems } = await loadCliToolkits(folder);
    const count = toolkits.reduce((sum, { tools }) => sum + tools.length, 0);
    await Promise.all(toolkits.map((toolkit) => toolkit.close?.()));
    return [
      { name, status: "ok", detail: `${count} in ${folder}` },
      ...problems.map(
        ({ message, hint }): DoctorCheck => ({ name, status: "warn", detail: message, ...(hint && { hint }) }),
      ),
    ];
  } catch (thrown) {
    return [failedCheck(name, thrown, "warn")];
  }
}

import { loadCliToolkits } from "@artificer/tools/cli";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

/** Which tools of a folder can be called; one check more for each definition that is broken or lacks its program. */
export async function checkTools(folder: string): Promise<DoctorCheck[]> {
  const name = "tools";
  const { toolkits, problems } = await loadCliToolkits(folder);
  const tools = toolkits.flatMap((toolkit) => toolkit.tools);
  // All tools of a program lack it together: one word about it is enough.
  const missing = new Map<string, DoctorCheck>();
  for (const { unavailable } of tools) {
    if (unavailable === undefined) continue;
    const { reason: detail, hint } = unavailable;
    missing.set(detail, { name, status: "warn", detail, ...(hint === undefined ? {} : { hint }) });
  }
  const usable = tools.filter(({ unavailable }) => unavailable === undefined).length;
  await Promise.all(toolkits.map((toolkit) => toolkit.close?.()));
  return [
    { name, status: "ok", detail: `${usable} usable in ${folder}` },
    ...problems.map(({ error }) => failedCheck(name, error, "warn")),
    ...missing.values(),
  ];
}

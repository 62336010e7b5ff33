import type { Config } from "../config/config-schema.js";
import { openBaseTools } from "../tools/open-base-tools.js";
import { checkPolicy } from "./check-policy.js";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

/**
 * Which tools of a base can be called; one check more for each definition that is broken or lacks its program. Servers are
 * started, to see whether they work.
 */
export async function checkTools(base: string, config: Config): Promise<DoctorCheck[]> {
  const name = "tools";
  const { toolkits, problems, warnings } = await openBaseTools({ folder: base, config }, { cache: false });
  const tools = toolkits.flatMap((toolkit) => toolkit.tools);
  // All tools of a program lack it together: one word about it is enough.
  const missing = new Map<string, DoctorCheck>();
  for (const { unavailable } of tools) {
    if (unavailable === undefined) continue;
    const { reason: detail, hint } = unavailable;
    missing.set(detail, { name, status: "warn", detail, ...(hint === undefined ? {} : { hint }) });
  }
  const usable = tools.filter(({ unavailable }) => unavailable === undefined).length;
  const policy = checkPolicy(config, toolkits);
  await Promise.all(toolkits.map((toolkit) => toolkit.close?.()));
  return [
    {
      name,
      status: "ok",
      detail: `${usable} usable in ${base}, of ${listed(toolkits.map((toolkit) => toolkit.name))}`,
    },
    ...policy,
    ...problems.map(({ error }) => failedCheck(name, error, "warn")),
    ...missing.values(),
    ...warnings.map(
      ({ message: detail, hint }): DoctorCheck => ({
        name,
        status: "warn",
        detail,
        ...(hint === undefined ? {} : { hint }),
      }),
    ),
  ];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "no toolkit" : names.join(", ");
}

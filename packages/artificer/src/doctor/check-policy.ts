import type { Toolkit } from "@artificer/protocol";
import { inspectPolicy } from "@artificer/runtime";
import type { Config } from "../config/config-schema.js";
import { policyFromConfig } from "../config/policy-from-config.js";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

/** What the policy of config.yaml makes of the tools there are. */
export function checkPolicy(config: Config, toolkits: readonly Toolkit[]): DoctorCheck[] {
  const name = "policy";
  const policy = policyFromConfig(config);
  if (policy === undefined) return [{ name, status: "ok", detail: "none: every tool call is allowed" }];
  try {
    const { tools, problems } = inspectPolicy(policy, toolkits);
    const count = (action: string) => tools.filter((tool) => tool.action === action).length;
    const detail = `of ${tools.length} tools ${count("allow")} are allowed, ${count("ask")} asked about, ${count("deny")} denied, arguments aside`;
    return [{ name, status: "ok", detail }, ...problems.map((problem) => failedCheck(name, problem, "warn"))];
  } catch (thrown) {
    return [failedCheck(name, thrown)];
  }
}

import type { PolicyOptions } from "@artificer/runtime";
import type { Config } from "./config-schema.js";

/** The policy that a configuration sets; seconds become milliseconds. Undefined where there is none. */
export function policyFromConfig({ policy }: Config): PolicyOptions | undefined {
  if (policy === undefined) return undefined;
  const { dangerous_commands, max_result, cache, dry_run, approval, ...rest } = policy;
  const options = {
    ...rest,
    dangerousCommands: dangerous_commands,
    maxResultBytes: max_result,
    cacheMs:
      cache && Object.fromEntries(Object.entries(cache).map(([name, seconds]) => [name, Math.ceil(seconds * 1000)])),
    dryRun: dry_run,
    approval:
      approval &&
      defined({ timeoutMs: approval.timeout && Math.ceil(approval.timeout * 1000), maxPending: approval.max_pending }),
  };
  return defined(options) as PolicyOptions;
}

function defined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

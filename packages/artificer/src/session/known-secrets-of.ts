import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { nearestName } from "@artificer/protocol";
import type { SessionProblem } from "@artificer/runtime";
import type { Base } from "./open-base.js";

type Learn = (name: string, value: string) => void;

/** The secrets of a base as they become known, for redaction: those in variables and files at once, the others when they are first used. */
export interface FoundSecrets {
  add: Learn;
  /** Has a listener told of all that are known, and of each that becomes so. */
  tell(learn: Learn): Promise<void>;
  problems: SessionProblem[];
}

export function knownSecretsOf(
  { config, folder }: Base,
  {
    hostEnv = process.env,
    secretProviders = {},
  }: { hostEnv?: Readonly<Record<string, string | undefined>>; secretProviders?: Readonly<Record<string, unknown>> },
): FoundSecrets {
  const early: [string, string][] = [];
  let learn: Learn = (name, value) => early.push([name, value]);
  const problems: SessionProblem[] = [];
  for (const [name, source] of Object.entries(config.secrets)) {
    if (!("provider" in source) || Object.hasOwn(secretProviders, source.provider)) continue;
    const nearest = nearestName(source.provider, Object.keys(secretProviders));
    problems.push({
      code: "tool/secret-missing",
      message: `The secret ${name} comes from the provider ${source.provider}, which the program that opened this base does not have.`,
      hint: nearest === undefined ? "Pass it as secretProviders when opening the session." : `Did you mean ${nearest}?`,
    });
  }
  return {
    problems,
    add: (name, value) => learn(name, value),
    async tell(listener) {
      learn = listener;
      for (const [name, value] of early.splice(0)) listener(name, value);
      for (const [name, source] of Object.entries(config.secrets)) {
        const value =
          "env" in source
            ? hostEnv[source.env]
            : "file" in source
              ? await readFile(resolve(folder, source.file), "utf8").catch(() => undefined)
              : undefined;
        if (value !== undefined) listener(name, value.replace(/\r?\n$/, ""));
      }
    },
  };
}

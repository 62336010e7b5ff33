import { createRedactor, type Redactor } from "../remote/redactor.js";
import { requireSecret } from "../remote/secret-value.js";
import { childEnvironment } from "./child-environment.js";
import type { ProgramSettings } from "./program-call.js";

/**
 * The variables of a program, with the secrets that its definition names put in. They are looked up anew for every call, so that a changed
 * one counts at once; the redactor knows them.
 *
 * @throws ArtificerError `tool/secret-missing`, `secret/wrong-destination`
 */
export async function programEnvironment({
  definition,
  environment,
  resolveSecret,
}: ProgramSettings): Promise<{ env: Record<string, string>; redactor: Redactor | undefined }> {
  const { name: toolkit, env: named = {}, passEnv } = definition;
  const env: Record<string, string> = {};
  let redactor: Redactor | undefined;
  for (const [name, value] of Object.entries(named)) {
    if (typeof value === "string") {
      env[name] = value;
      continue;
    }
    env[name] = await requireSecret(value.secret, resolveSecret, { field: `env.${name}`, destination: { toolkit } });
    redactor ??= createRedactor();
    redactor.add(env[name]);
  }
  return { env: childEnvironment(environment, { env, ...(passEnv === undefined ? {} : { passEnv }) }), redactor };
}

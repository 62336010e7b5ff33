import { ArtificerError } from "@artificer/protocol";
import { z } from "zod";

/** A configured string: written out, or the name of a secret that the host resolves. */
export const secretValue = z.union([z.string(), z.strictObject({ secret: z.string().min(1) })]);
export type SecretValue = z.infer<typeof secretValue>;

/** Gives the secret of that name, from wherever the host keeps it; undefined when there is none. */
export type ResolveSecret = (name: string) => string | undefined | Promise<string | undefined>;

/**
 * Asks the host for a secret.
 *
 * @throws ArtificerError `tool/secret-missing`, naming the secret and never its value.
 */
export async function requireSecret(name: string, resolve: ResolveSecret | undefined, field: string): Promise<string> {
  let value: string | undefined;
  try {
    value = await resolve?.(name);
  } catch {
    // What the provider says may hold the secret or where it is kept: it stays on the host.
    value = undefined;
  }
  if (value !== undefined && value !== "") return value;
  throw new ArtificerError("tool/secret-missing", `The secret "${name}" that ${field} names is not there.`, {
    details: { secret: name, field },
    hint:
      resolve === undefined
        ? "Give the host a way to resolve secrets (resolveSecret)."
        : "Add it to the host's secrets, or name another.",
  });
}

import { ArtificerError } from "@artificer/protocol";
import { z } from "zod";

/** A configured string: written out, or the name of a secret that the host resolves. */
export const secretValue = z.union([z.string(), z.strictObject({ secret: z.string().min(1) })]);
export type SecretValue = z.infer<typeof secretValue>;

/** Where a secret is about to go: to which toolkit, and for what leaves the machine, to which host. */
export interface SecretDestination {
  toolkit: string;
  /** As in an address, with the port when it is no usual one. */
  host?: string;
}

/**
 * Gives the secret of that name, from wherever the host keeps it; undefined when there is none. It may refuse a destination
 * by throwing `secret/wrong-destination`.
 */
export type ResolveSecret = (
  name: string,
  destination: SecretDestination,
) => string | undefined | Promise<string | undefined>;

/** What is asked for, and for whom. */
export interface SecretRequest {
  /** The field of the definition that names it. */
  field: string;
  destination: SecretDestination;
}

/**
 * Asks the host for a secret.
 *
 * @throws ArtificerError `tool/secret-missing`, naming the secret and never its value; `secret/wrong-destination`
 */
export async function requireSecret(
  name: string,
  resolve: ResolveSecret | undefined,
  { field, destination }: SecretRequest,
): Promise<string> {
  let value: string | undefined;
  try {
    value = await resolve?.(name, destination);
  } catch (thrown) {
    if (ArtificerError.is(thrown, "secret/wrong-destination")) throw thrown;
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

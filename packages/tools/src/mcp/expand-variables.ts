import { ArtificerError } from "@artificer/protocol";

/** Where `${VAR}` looks: the host's environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Puts variables of the host in place of `${VAR}`, or of `${VAR:-default}` when it is not set; `$${` stands for `${`.
 *
 * @param field the field the text is from, for messages
 * @param onValue told each value that was put in, so that secrets among them can be kept out of messages
 * @throws ArtificerError `tool/definition-invalid` naming the variable that is not set.
 */
export function expandVariables(
  text: string,
  environment: Environment,
  field: string,
  { onValue }: { onValue?: (value: string, name: string) => void } = {},
): string {
  return text.replace(/(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}/g, (match, dollar, name, _, fallback) => {
    if (dollar === "$") return match.slice(1);
    const value = environment[name];
    if (value !== undefined && (value !== "" || fallback === undefined)) {
      onValue?.(value, name);
      return value;
    }
    if (fallback !== undefined) return fallback;
    throw new ArtificerError("tool/definition-invalid", `${field} needs the variable ${name}, which is not set.`, {
      details: { field, variable: name },
      hint: `Set ${name} for the host, or write \${${name}:-default}.`,
    });
  });
}

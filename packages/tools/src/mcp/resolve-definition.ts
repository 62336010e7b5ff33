import { ArtificerError } from "@artificer/protocol";
import type { Redactor } from "../remote/redactor.js";
import { type ResolveSecret, requireSecret, type SecretValue } from "../remote/secret-value.js";
import { type Environment, expandVariables } from "./expand-variables.js";
import type { McpDefinition } from "./mcp-definition.js";
import { serverEnvironment } from "./server-environment.js";

/** How to reach a server, every variable and secret put in. Never leaves the host. */
export type ServerTarget =
  | { kind: "process"; command: string; args: string[]; env: Record<string, string>; cwd: string | undefined }
  | { kind: "url"; url: URL; headers: Record<string, string>; transports: ("http" | "sse")[] };

/** Names under which hosts keep what nobody else should see. */
const namesSecret = /TOKEN|SECRET|PASS|PWD|KEY|CREDENTIAL|AUTH|DSN|COOKIE|PRIVATE/i;

/** What resolving a definition draws on. */
export interface ResolveContext {
  environment: Environment;
  resolveSecret: ResolveSecret | undefined;
  /** Told every secret that was put in. */
  redactor: Redactor;
}

/**
 * Puts the host's variables and secrets into a definition.
 *
 * @throws ArtificerError `tool/definition-invalid` (a variable that is not set, a bad URL), `tool/secret-missing`.
 */
export async function resolveDefinition(definition: McpDefinition, context: ResolveContext): Promise<ServerTarget> {
  const { environment, redactor } = context;
  const plain = (text: string, field: string) => expandVariables(text, environment, field);
  // A folder's name is no secret, and taking it out of results would spoil every path in them.
  const hidden = (text: string, field: string, always = false) =>
    expandVariables(text, environment, field, {
      onValue: (value, name) => {
        if (always || namesSecret.test(name)) redactor.add(value);
      },
    });
  // A server at an address gets its secrets there; a process, as the toolkit that it is.
  const host = definition.url === undefined ? undefined : hostOf(expandVariables(definition.url, environment, "url"));
  const destination = { toolkit: definition.name, ...(host === undefined ? {} : { host }) };
  const one = async (value: SecretValue, field: string, always = false) => {
    if (typeof value === "string") return hidden(value, field, always);
    const secret = await requireSecret(value.secret, context.resolveSecret, { field, destination });
    redactor.add(secret);
    return secret;
  };
  const all = async (values: Record<string, SecretValue>, field: string, always: boolean) => {
    const resolved: [string, string][] = [];
    for (const [name, value] of Object.entries(values))
      resolved.push([name, await one(value, `${field}.${name}`, always)]);
    return Object.fromEntries(resolved);
  };
  if (definition.command !== undefined) {
    return {
      kind: "process",
      command: plain(definition.command, "command"),
      args: await Promise.all(definition.args.map((value, index) => one(value, `args.${index}`))),
      env: { ...serverEnvironment(environment), ...(await all(definition.env, "env", false)) },
      cwd: definition.cwd === undefined ? undefined : plain(definition.cwd, "cwd"),
    };
  }
  return {
    kind: "url",
    url: parseUrl(hidden(definition.url!, "url")),
    headers: await all(definition.headers, "headers", true),
    transports: transportsOf(definition),
  };
}

function transportsOf({ transport }: McpDefinition): ("http" | "sse")[] {
  if (transport === undefined) return ["http", "sse"];
  return transport === "sse" ? ["sse"] : ["http"];
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  // The text may hold a secret by now: the message leaves it out.
  throw invalidUrl();
}

function hostOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).host : undefined;
}

function invalidUrl(): ArtificerError {
  return new ArtificerError(
    "tool/definition-invalid",
    "url: an address beginning with http:// or https:// is needed.",
    {
      details: { field: "url" },
    },
  );
}

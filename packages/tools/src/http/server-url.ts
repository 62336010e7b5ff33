import { ArtificerError } from "@artificer/protocol";
import type { HttpDefinition } from "./http-definition.js";

interface Server {
  url: string;
  variables?: Record<string, { default?: string } | undefined>;
}

/**
 * The address that an operation's path is appended to: the definition's, or else the document's first server with its
 * variables put in, relative to where the document is from.
 *
 * @throws ArtificerError `tool/definition-invalid` when neither says where the API is.
 */
export function serverUrl(servers: unknown, definition: HttpDefinition, documentUrl: string | undefined): string {
  if (definition.baseUrl !== undefined) return definition.baseUrl;
  const [server] = Array.isArray(servers) ? (servers as Server[]) : [];
  const template = typeof server?.url === "string" ? server.url : "/";
  const url = template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = definition.serverVariables[name] ?? server?.variables?.[name]?.default;
    if (value !== undefined) return String(value);
    throw new ArtificerError("tool/definition-invalid", `the server's address needs the variable ${name}`, {
      details: { field: `serverVariables.${name}` },
      hint: "Give it in serverVariables, or give baseUrl.",
    });
  });
  const whole = URL.canParse(url) ? new URL(url) : documentUrl === undefined ? undefined : new URL(url, documentUrl);
  if (whole?.protocol === "http:" || whole?.protocol === "https:") return whole.href;
  throw new ArtificerError("tool/definition-invalid", "the document does not say where the API is", {
    details: { field: "baseUrl" },
    hint: "Give baseUrl in the definition.",
  });
}

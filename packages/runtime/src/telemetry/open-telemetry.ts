import { createRequire } from "node:module";

type Api = typeof import("@opentelemetry/api");

let loaded: { api: Api | undefined } | undefined;

/** OpenTelemetry's API where the host has it installed; looked for once. All copies of it in a process share what the host registered. */
export function openTelemetry(): Api | undefined {
  loaded ??= { api: load() };
  return loaded.api;
}

function load(): Api | undefined {
  try {
    return createRequire(import.meta.url)("@opentelemetry/api") as Api;
  } catch {
    return undefined;
  }
}

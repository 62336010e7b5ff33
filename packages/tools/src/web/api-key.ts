import { requireSecret } from "../remote/secret-value.js";
import type { ApiKey } from "./search-provider.js";

/** @throws ArtificerError `tool/secret-missing` */
export function resolveKey(key: ApiKey, provider: string): Promise<string> {
  return requireSecret(`the key of ${provider}`, () => (typeof key === "string" ? key : key()), {
    field: "web.search",
    destination: { toolkit: "web" },
  });
}

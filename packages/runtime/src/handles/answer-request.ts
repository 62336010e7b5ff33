import { ArtificerError, type HostMethod, nearestName } from "@artificer/protocol";
import { artifactHandlers } from "./artifact-handlers.js";
import { depHandlers } from "./dep-handlers.js";
import type { HandleCall, Handler, Namespaces } from "./handle-context.js";
import { sharedHandlers } from "./shared-handlers.js";
import { skillHandlers } from "./skill-handlers.js";
import { toolHandlers } from "./tool-handlers.js";

const handlers = {
  ...toolHandlers,
  ...skillHandlers,
  ...artifactHandlers,
  ...sharedHandlers,
  ...depHandlers,
} satisfies Record<HostMethod, Handler>;

/** The choke point: every handle of every cell comes through here. @throws whatever the handler throws; the kernel gets its message. */
export function answerRequest(
  namespaces: Namespaces,
  request: { method: string; params: unknown },
  call: HandleCall,
): Promise<unknown> {
  const { method } = request;
  if (!Object.hasOwn(handlers, method)) {
    const nearest = nearestName(method, Object.keys(handlers));
    throw new ArtificerError(
      "wire/unknown-method",
      `The host has no ${method}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
      {
        details: { method },
      },
    );
  }
  return handlers[method as HostMethod](namespaces, request.params, call);
}

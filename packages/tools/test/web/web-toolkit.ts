import { afterEach } from "vitest";
import { createWebToolkit, type WebOptions } from "../../src/web/index.js";
import { callContext, type LocalServer, localServer } from "../http/local-server.js";

type Answer = Parameters<typeof localServer>[0];

/** Servers and toolkits that are closed after each test. */
export function useWeb() {
  const undo: (() => unknown)[] = [];
  afterEach(async () => {
    for (const each of undo.splice(0).reverse()) await each();
  });
  return {
    async serve(answer: Answer): Promise<LocalServer> {
      const server = await localServer(answer);
      undo.push(() => server.close());
      return server;
    },
    open(options: WebOptions = {}) {
      const toolkit = createWebToolkit(options);
      undo.push(() => toolkit.close?.());
      return {
        toolkit,
        call: (tool: string, args: Record<string, unknown>) => toolkit.call(tool, args, callContext()),
      };
    },
  };
}

import { z } from "zod";
import { createToolkit, defineTool, type HookedCall, Session, type SessionOptions } from "../../src/index.js";

/** A session over a small shop, and what its tools were really asked to do, in order. */
export function openShop(options: SessionOptions & { slow?: () => Promise<void> } = {}) {
  const { slow = async () => {}, ...rest } = options;
  const ran: string[] = [];
  const contexts: Pick<HookedCall, "session" | "owner" | "cell">[] = [];
  let inside = 0;
  const most = { atOnce: 0 };
  const doing = async (what: string) => {
    ran.push(what);
    most.atOnce = Math.max(most.atOnce, ++inside);
    try {
      await slow();
    } finally {
      inside--;
    }
  };
  const shop = createToolkit({
    name: "shop_tools",
    description: "A shop",
    tools: {
      price: defineTool({
        description: "What an item costs",
        input: z.object({ item: z.string(), count: z.int().default(1) }),
        effect: "read",
        run: async ({ item, count }, { session, owner, cell }) => {
          contexts.push({ session, ...(owner === undefined ? {} : { owner }), cell });
          await doing(`price ${item}`);
          return count * 3;
        },
      }),
      "place-order": defineTool({
        description: "Orders",
        input: z.object({
          item: z.string(),
          to: z.object({ city: z.string(), notes: z.array(z.string()).default([]) }).optional(),
          express: z.boolean().default(true),
          token: z.string().optional(),
        }),
        effect: "write",
        run: async (args) => {
          await doing(`order ${JSON.stringify(args)}`);
          return "ordered";
        },
      }),
      wipe: defineTool({
        description: "Empties",
        input: z.object({}),
        effect: "destructive",
        run: () => doing("wipe"),
      }),
      blob: defineTool({
        description: "Bytes",
        input: z.object({ size: z.int() }),
        effect: "read",
        run: ({ size }) => new Uint8Array(size),
      }),
      confirm: defineTool({
        description: "Needs a nod",
        input: z.object({ what: z.string() }),
        needs: "confirmation",
        run: async ({ what }) => {
          await doing(`confirmed ${what}`);
          return "done";
        },
      }),
      address: defineTool({
        description: "Needs an address",
        input: z.object({ item: z.string(), street: z.string().optional() }),
        needs: "input",
        inputFields: ["street"],
        run: async ({ item, street }) => {
          await doing(`send ${item} to ${street}`);
          return `${item} to ${street}`;
        },
      }),
      elsewhere: defineTool({
        description: "Carried out elsewhere",
        input: z.object({ job: z.string() }),
        output: z.object({ ticket: z.int() }),
        needs: "external",
        run: () => doing("never"),
      }),
    },
  });
  const session = new Session({ embedder: null, tools: [shop], ...rest });
  return { session, ran, contexts, most };
}

/** Runs each expression in Python by itself; what it gives, or the code and message that it fails with. */
export const attempts = (...expressions: string[]) => `
told = []
for run in (${expressions.map((each) => `lambda: ${each}`).join(", ")},):
    try:
        told.append(run())
    except Exception as error:
        told.append([error.code, error.message])
told`;

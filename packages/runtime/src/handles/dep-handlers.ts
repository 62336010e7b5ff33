import { z } from "zod";
import type { HandleCall, Handler } from "./handle-context.js";
import { parseParams } from "./parse-params.js";

const spec = z.object({ spec: z.string() });

/** Installing is waiting: the cell's own clock stands still. */
async function waiting<T>({ active }: HandleCall, work: () => Promise<T>): Promise<T> {
  active?.clock.pause();
  try {
    return await work();
  } finally {
    active?.clock.resume();
  }
}

const list: Handler = async ({ deps }) => deps.list();
const add: Handler = async ({ deps }, params, call) =>
  waiting(call, () => deps.add(parseParams(spec, params, "deps.add").spec, { signal: call.withdrawal.signal }));
const remove: Handler = async ({ deps }, params) => deps.remove(parseParams(spec, params, "deps.remove").spec);
const sync: Handler = async ({ deps }, _params, call) =>
  waiting(call, () => deps.sync({ signal: call.withdrawal.signal }));

export const depHandlers = { "deps.list": list, "deps.add": add, "deps.remove": remove, "deps.sync": sync } as const;

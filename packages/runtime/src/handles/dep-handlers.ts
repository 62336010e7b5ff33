import { z } from "zod";
import type { Handler } from "./handle-context.js";
import { parseParams } from "./parse-params.js";

const spec = z.object({ spec: z.string() });

const list: Handler = async ({ deps }) => deps.list();
const add: Handler = async ({ deps }, params) => deps.add(parseParams(spec, params, "deps.add").spec);
const remove: Handler = async ({ deps }, params) => deps.remove(parseParams(spec, params, "deps.remove").spec);
const sync: Handler = async ({ deps }, _params, { signal }) => deps.sync({ signal });

export const depHandlers = { "deps.list": list, "deps.add": add, "deps.remove": remove, "deps.sync": sync } as const;

import { ArtificerError, type Value } from "@artificer/protocol";
import { z } from "zod";
import type { Handler } from "./handle-context.js";
import { parseParams } from "./parse-params.js";

const named = z.object({ name: z.string() });

const set: Handler = async ({ shared }, params, { language, active }) => {
  const { name, value } = parseParams(named.extend({ value: z.unknown().optional() }), params, "shared.set");
  if (value === undefined) {
    throw new ArtificerError("value/not-encodable", `There is no value to share as ${JSON.stringify(name)}.`, {
      details: { path: "$" },
      hint: "Share null for nothing, or let go of the name by unshare(name).",
    });
  }
  shared.share(name, value as Value, { from: language });
  if (active !== undefined && !active.shared.includes(name)) active.shared.push(name);
  return null;
};

const get: Handler = async ({ shared }, params) => shared.take(parseParams(named, params, "shared.get").name);
const list: Handler = async ({ shared }) => shared.list();
const remove: Handler = async ({ shared }, params) => shared.remove(parseParams(named, params, "shared.delete").name);

export const sharedHandlers = {
  "shared.set": set,
  "shared.get": get,
  "shared.list": list,
  "shared.delete": remove,
} as const;

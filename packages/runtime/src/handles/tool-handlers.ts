import { z } from "zod";
import { plainArguments } from "../tools/plain-arguments.js";
import type { ToolInfo } from "../tools/toolset.js";
import type { HandleCall, Handler } from "./handle-context.js";
import { parseParams } from "./parse-params.js";

const callParams = z.object({ toolkit: z.string(), tool: z.string(), args: z.record(z.string(), z.unknown()) });
const searchParams = z.object({ query: z.string(), limit: z.int().positive().max(1000).default(10) });

/** `tools.call`: counts, validates, stops the cell's clock, and lets the tool run. */
const call: Handler = async ({ toolset, session }, params, handle) => {
  const { language, cell, active, log, signal } = handle;
  const { args, ...which } = parseParams(callParams, params, "tools.call");
  const request = { ...which, args: plainArguments(args) };
  const tool = `${request.toolkit}.${request.tool}`;
  const entry = log.begin(tool);
  handle.onAnswered((bytes) => entry.answered(bytes));
  handle.limitAnswer(tool, (error) => entry.fail(error));
  const onLate = () =>
    handle.remark(`${tool}, called by cell ${cell} and cancelled, answered late; its answer was dropped.`);
  active?.clock.pause();
  try {
    const result = await toolset.call(request, { signal, session, cell, language, onReached: entry.reached, onLate });
    entry.succeed();
    return result;
  } catch (thrown) {
    entry.fail(thrown);
    throw thrown;
  } finally {
    active?.clock.resume();
  }
};

function listed({ path, description, signatures, unavailable }: ToolInfo, { language }: HandleCall) {
  const shown = { path, description, signature: signatures[language] };
  return unavailable === undefined ? shown : { ...shown, unavailable: unavailable.reason };
}

const list: Handler = async ({ toolset }, _params, cell) => toolset.list().map((tool) => listed(tool, cell));

const search: Handler = async ({ toolSearch }, params, cell) => {
  const { query, limit } = parseParams(searchParams, params, "tools.search");
  const found = await (await toolSearch()).search(query, { limit });
  return found.map((match) => ({ ...listed(match, cell), score: match.score }));
};

export const toolHandlers = { "tools.call": call, "tools.list": list, "tools.search": search } as const;

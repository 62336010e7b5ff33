import type { ToolProgress } from "@artificer/protocol";
import { z } from "zod";
import { plainArguments } from "../tools/plain-arguments.js";
import { defaultCatalogTokens, renderCatalog } from "../tools/render-catalog.js";
import type { ToolInfo } from "../tools/toolset.js";
import type { HandleCall, Handler } from "./handle-context.js";
import { parseParams } from "./parse-params.js";
import { readToolCall } from "./read-tool-call.js";

const searchParams = z.object({ query: z.string(), limit: z.int().positive().max(1000).default(10) });
const catalogParams = z.object({ budget: z.number().positive().max(10_000_000).default(defaultCatalogTokens) });

/** `tools.call`: counts, validates, stops the cell's clock, and lets the tool run. */
const call: Handler = async ({ toolset, session, environment, policy, toolUsed }, params, handle) => {
  const { language, cell, active, log, withdrawal } = handle;
  const request = readToolCall(params);
  request.args = plainArguments(request.args);
  const tool = `${request.toolkit}.${request.tool}`;
  const entry = log.begin(tool);
  handle.onAnswered((bytes) => {
    entry.answered(bytes);
    policy.answered(cell, bytes);
  });
  handle.limitAnswer(tool, (error) => entry.fail(error));
  const onLate = () =>
    handle.remark(`${tool}, called by cell ${cell} and cancelled, answered late; its answer was dropped.`);
  const told = active?.onToolProgress;
  const progress = told === undefined ? {} : { onProgress: (how: ToolProgress) => told({ ...how, tool, cell }) };
  active?.clock.pause();
  try {
    const result = await toolset.call(request, {
      withdrawal,
      get signal() {
        return withdrawal.signal;
      },
      session,
      ...(policy.owner === undefined ? {} : { owner: policy.owner }),
      cell,
      ...(handle.running === undefined ? {} : { running: handle.running }),
      language,
      get environment() {
        return environment();
      },
      ...progress,
      onReached: entry.reached,
      onLate,
      notes: entry.notes,
      ...(active === undefined ? {} : { code: active.code, onParked: () => active.clock.hold() }),
      ...(request.line === undefined ? {} : { line: request.line }),
    });
    entry.succeed();
    toolUsed(request.toolkit, request.tool);
    return result;
  } catch (thrown) {
    entry.fail(thrown);
    throw thrown;
  } finally {
    active?.clock.resume();
  }
};

function listed({ path, description, signatures, definition, unavailable }: ToolInfo, { language }: HandleCall) {
  const { effect, needs } = definition;
  const shown = {
    path,
    description,
    signature: signatures[language],
    effect,
    ...(needs === undefined ? {} : { needs }),
  };
  return unavailable === undefined ? shown : { ...shown, unavailable: unavailable.reason };
}

const list: Handler = async ({ toolset }, _params, cell) => toolset.list().map((tool) => listed(tool, cell));

const catalog: Handler = async ({ toolset }, params, { language }) => {
  const { budget } = parseParams(catalogParams, params, "tools.catalog");
  return renderCatalog(toolset.list(), { language, budgetTokens: budget });
};

const search: Handler = async ({ toolSearch }, params, cell) => {
  const { query, limit } = parseParams(searchParams, params, "tools.search");
  const found = await (await toolSearch()).search(query, { limit, signal: cell.signal });
  return found.map((match) => ({ ...listed(match, cell), score: match.score }));
};

export const toolHandlers = {
  "tools.call": call,
  "tools.list": list,
  "tools.search": search,
  "tools.catalog": catalog,
} as const;

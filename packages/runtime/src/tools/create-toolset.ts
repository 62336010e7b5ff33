import {
  ArtificerError,
  type Bindings,
  type Language,
  nearestNames,
  type ToolDefinition,
  type Toolkit,
} from "@artificer/protocol";
import type { GoOn, ToolGate, ToolsetCallContext } from "../policy/tool-gate.js";
import { createArgumentCheck } from "./argument-check.js";
import { classified, toolAliases, withEffects } from "./classify-tools.js";
import { createBindings } from "./create-bindings.js";
import { readParameters } from "./read-parameters.js";
import { endingError, runTool, toolFailure } from "./run-tool.js";
import type { ToolEntry } from "./tool-entry.js";
import { runHooks, type ToolHook } from "./tool-hook.js";
import { toolSignature } from "./tool-signature.js";
import type { ToolInfo, Toolset } from "./toolset.js";

/** Bounds that hold for every tool of a toolset. */
export interface ToolsetLimits {
  /** For tools that set no time limit of their own, in milliseconds. 300,000 unless given. */
  timeoutMs?: number;
  /** How long a tool may take to wind up once its time is up or the caller has withdrawn, in milliseconds. 2,000 unless given. */
  settleMs?: number;
}

export interface ToolsetOptions {
  toolkits: readonly Toolkit[];
  limits?: ToolsetLimits;
  /** Stand around every call, the first of them outermost. */
  hooks?: readonly ToolHook[];
  /** Stands before the hooks: what a policy allows. */
  gate?: ToolGate;
}

const defaultTimeoutMs = 300_000;
const defaultSettleMs = 2000;
/** Names told in one answer. */
const maxNamed = 50;
/** The longest that a timer of Node can wait. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Makes the one table of a session's tools. All that can be worked out once is worked out here.
 *
 * @throws ArtificerError `tool/duplicate` when two toolkits, or two tools of one, share a name.
 */
export function createToolset({ toolkits, limits = {}, hooks = [], gate }: ToolsetOptions): Toolset {
  const timeoutMs = limits.timeoutMs ?? defaultTimeoutMs;
  const settleMs = limits.settleMs ?? defaultSettleMs;
  let { tables, entries } = buildTable(toolkits, { timeoutMs, gate });
  const listeners = new Set<() => void>();
  const rebuild = () => {
    try {
      ({ tables, entries } = buildTable(toolkits, { timeoutMs, gate }));
    } catch {
      // Two tools of one name by now: what was known before holds.
      return;
    }
    for (const listener of listeners) listener();
  };
  const unsubscribe = toolkits.map((toolkit) => toolkit.onChanged?.(rebuild));

  const findEntry = (toolkit: string, tool: string): ToolEntry => {
    const tools = entries.get(toolkit);
    if (tools === undefined) throw unknownToolkit(toolkit, entries);
    const entry = tools.get(tool);
    if (entry === undefined) throw unknownTool(toolkit, tool, tools);
    return entry;
  };

  const callTool = (entry: ToolEntry, context: ToolsetCallContext): GoOn => {
    const { onLate } = context;
    return (args, around) => {
      const run = (maxMs: number) => {
        context.onReached?.();
        const bounded = maxMs < entry.timeoutMs ? { ...entry, timeoutMs: Math.max(1, Math.ceil(maxMs)) } : entry;
        return runTool(bounded, args, { call: context, settleMs, onLate });
      };
      const tool = () => (around === undefined ? run(Number.POSITIVE_INFINITY) : around(run));
      if (hooks.length === 0) return tool();
      const withdrawn = () => endingError(entry, "cancelled", undefined);
      const { signal, session, cell, owner, onProgress } = context;
      const call = {
        toolkit: entry.toolkit.name,
        tool: entry.definition.name,
        args,
        signal,
        session,
        cell,
        ...(owner === undefined ? {} : { owner }),
        ...(onProgress === undefined ? {} : { onProgress }),
      };
      return runHooks(hooks, call, { tool, withdrawn }).catch((thrown) => {
        throw toolFailure(entry, thrown);
      });
    };
  };

  let closing: Promise<void> | undefined;
  return {
    list: () => Array.from(entries.values(), (tools) => Array.from(tools.values(), describe)).flat(),
    find: (toolkit, tool) => describe(findEntry(toolkit, tool)),
    bindings: (language) => tables[language],
    async call(request, context) {
      const entry = findEntry(request.toolkit, request.tool);
      const args = entry.check(request.args, context.language);
      if (context.withdrawal?.withdrawn ?? context.signal.aborted) throw endingError(entry, "cancelled", undefined);
      const goOn = callTool(entry, context);
      return gate === undefined || gate.lets(entry, context) ? goOn(args) : gate.call({ entry, args, context }, goOn);
    },
    onChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      for (const each of unsubscribe) each?.();
      closing ??= closeAll(toolkits);
      return closing;
    },
  };
}

interface ToolTable {
  tables: Record<Language, Bindings>;
  entries: Map<string, Map<string, ToolEntry>>;
}

function buildTable(
  toolkits: readonly Toolkit[],
  { timeoutMs, gate }: { timeoutMs: number; gate: ToolGate | undefined },
): ToolTable {
  const named = { python: createBindings(toolkits, "python"), typescript: createBindings(toolkits, "typescript") };
  const shown = gate === undefined ? toolkits : toolkits.map((toolkit, at) => classified(toolkit, at, named, gate));
  const tables = { python: withEffects(named.python, shown), typescript: withEffects(named.typescript, shown) };
  const entries = new Map<string, Map<string, ToolEntry>>();
  for (const [at, toolkit] of toolkits.entries()) {
    if (entries.has(toolkit.name)) throw duplicate(`toolkits are called ${JSON.stringify(toolkit.name)}`, toolkit.name);
    const tools = new Map<string, ToolEntry>();
    entries.set(toolkit.name, tools);
    for (const [index, definition] of shown[at]!.tools.entries()) {
      const path = `${toolkit.name}.${definition.name}`;
      if (tools.has(definition.name)) throw duplicate(`tools are called ${JSON.stringify(path)}`, path);
      const signature = (language: Language) => {
        const bound = tables[language].toolkits[at]!;
        return toolSignature(bound, bound.tools[index]!, language);
      };
      const aliases = toolAliases(tables, at, index);
      tools.set(definition.name, createEntry({ toolkit, definition, path, signature, timeoutMs, aliases }));
    }
  }
  gate?.adopt(Array.from(entries.values(), (tools) => [...tools.values()]).flat());
  return { tables, entries };
}

interface EntryParts {
  toolkit: Toolkit;
  definition: ToolDefinition;
  path: string;
  signature(language: Language): string;
  timeoutMs: number;
  aliases: ToolEntry["aliases"];
}

function createEntry({ toolkit, definition, path, signature, timeoutMs, aliases }: EntryParts): ToolEntry {
  const schema = readParameters(definition.inputSchema);
  return {
    toolkit,
    definition,
    path,
    aliases,
    schema,
    check: createArgumentCheck({ path, definition, schema, signature }),
    timeoutMs: Math.min(definition.timeoutMs ?? timeoutMs, maxTimerMs),
    signatures: { python: signature("python"), typescript: signature("typescript") },
  };
}

function describe({ toolkit, definition, path, signatures }: ToolEntry): ToolInfo {
  const { unavailable } = definition;
  return {
    path,
    toolkit: toolkit.name,
    tool: definition.name,
    description: definition.description,
    signature: signatures.python,
    signatures,
    definition,
    ...(unavailable === undefined ? {} : { unavailable }),
  };
}

function unknownToolkit(name: string, entries: ReadonlyMap<string, unknown>): ArtificerError {
  const allowed = [...entries.keys()];
  const nearest = nearestNames(name, allowed);
  return new ArtificerError(
    "tool/unknown-toolkit",
    `There is no toolkit ${JSON.stringify(name)}.${didYouMean(nearest)}`,
    {
      details: { toolkit: name, nearest, allowed },
      hint: allowed.length === 0 ? "This session has no tools." : `The toolkits are ${listed(allowed)}.`,
    },
  );
}

function unknownTool(toolkit: string, name: string, tools: ReadonlyMap<string, unknown>): ArtificerError {
  const allowed = [...tools.keys()];
  const nearest = nearestNames(name, allowed);
  const what = `The toolkit ${JSON.stringify(toolkit)} has no tool ${JSON.stringify(name)}.`;
  return new ArtificerError("tool/unknown-tool", `${what}${didYouMean(nearest)}`, {
    details: { toolkit, tool: name, nearest, allowed },
    hint: `Its tools are ${listed(allowed)}.`,
  });
}

/** Names for an answer; of very many the first. */
function listed(names: readonly string[]): string {
  const rest = names.length - maxNamed;
  return names.slice(0, maxNamed).join(", ") + (rest > 0 ? `, and ${rest} more: search for what is to be done` : "");
}

function didYouMean(nearest: readonly string[]): string {
  return nearest.length === 0 ? "" : ` Did you mean ${nearest.map((name) => JSON.stringify(name)).join(" or ")}?`;
}

function duplicate(what: string, name: string): ArtificerError {
  return new ArtificerError("tool/duplicate", `Two ${what}.`, {
    details: { name },
    hint: "Give one of them another name.",
  });
}

/** Every toolkit is closed, also when one of them fails to; the first failure is told. */
async function closeAll(toolkits: readonly Toolkit[]): Promise<void> {
  const results = await Promise.allSettled(toolkits.map(async (toolkit) => toolkit.close?.()));
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}

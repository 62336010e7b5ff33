import type { Language } from "@artificer/protocol";
import { estimateTokens } from "./estimate-tokens.js";
import type { ToolInfo } from "./toolset.js";

/** How the tools are told. */
export interface CatalogOptions {
  /** How calls are written. Default `python`. */
  language?: Language;
  /** About how long the text may be, in tokens; default 2,000. What is said of the whole is said in any case. */
  budgetTokens?: number;
  /** Another way to search, for readers who have one besides `tools.search`, such as ` (or search_tools)`. */
  elsewhere?: string;
}

/** The budget of a catalogue unless one is given. */
export const defaultCatalogTokens = 2000;

const maxBriefChars = 120;

/**
 * The tools of a session for a model's eyes, within a budget of tokens. The first line says COMPLETE, and every tool stands there as it is
 * called; or PARTIAL, how many do, and how to get at the rest. Descriptions give way before signatures, signatures before
 * names, and no toolkit is crowded out by a larger one.
 */
export function renderCatalog(tools: readonly ToolInfo[], options: CatalogOptions = {}): string {
  const { language = "python", budgetTokens = defaultCatalogTokens, elsewhere = "" } = options;
  if (tools.length === 0) return "COMPLETE: there are no tools in this session.";
  const toolkits = byToolkit(tools);
  const complete = `COMPLETE: all ${count(tools.length, "tool")}, called as shown.`;
  for (const line of [describedLine, bareLine]) {
    const text = [complete, ...tools.map((tool) => line(tool, language))].join("\n");
    if (estimateTokens(text) <= budgetTokens) return text;
  }
  const more = `tools.search("what is to be done")${elsewhere} finds the others, tools.list() gives all, tools.catalog(${nextBudget(tools, language)}) shows all.`;
  const head = (shown: number) => `PARTIAL: ${shown} of ${tools.length} tools, called as shown. ${more}`;
  const overview = `Toolkits: ${[...toolkits].map(([name, its]) => `${name}: ${count(its.length, "tool")}`).join(", ")}.\n`;
  let left = budgetTokens - estimateTokens(`${head(tools.length)}\n`);
  const told = estimateTokens(overview) <= left / 2 ? overview : "";
  left -= estimateTokens(told);
  const shown = new Set<ToolInfo>();
  // One of each toolkit in turn, so that the smallest is not hidden behind the largest.
  for (const tool of inTurn([...toolkits.values()])) {
    const cost = estimateTokens(`${bareLine(tool, language)}\n`);
    if (cost > left) continue;
    left -= cost;
    shown.add(tool);
  }
  const lines = tools.filter((tool) => shown.has(tool)).map((tool) => bareLine(tool, language));
  return `${head(shown.size)}\n${told}${lines.join("\n")}`.trimEnd();
}

function byToolkit(tools: readonly ToolInfo[]): Map<string, ToolInfo[]> {
  const toolkits = new Map<string, ToolInfo[]>();
  for (const tool of tools) {
    const its = toolkits.get(tool.toolkit);
    if (its === undefined) toolkits.set(tool.toolkit, [tool]);
    else its.push(tool);
  }
  return toolkits;
}

function* inTurn(lists: readonly (readonly ToolInfo[])[]): Generator<ToolInfo> {
  const longest = Math.max(...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at++) for (const list of lists) if (at < list.length) yield list[at]!;
}

function bareLine({ signatures }: ToolInfo, language: Language): string {
  return `- ${signatures[language]}`;
}

function describedLine(tool: ToolInfo, language: Language): string {
  const brief = tool.description.trim().split(/\r?\n/, 1)[0] ?? "";
  const shown = brief.length > maxBriefChars ? `${brief.slice(0, maxBriefChars - 1)}…` : brief;
  const missing = tool.unavailable === undefined ? "" : ` (unavailable: ${tool.unavailable.reason})`;
  return `${bareLine(tool, language)}${shown === "" ? "" : `: ${shown}`}${missing}`;
}

/** What all signatures would take, rounded up to what is easily said. */
function nextBudget(tools: readonly ToolInfo[], language: Language): number {
  const needed = estimateTokens(tools.map((tool) => bareLine(tool, language)).join("\n")) + 50;
  return Math.ceil(needed / 1000) * 1000;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

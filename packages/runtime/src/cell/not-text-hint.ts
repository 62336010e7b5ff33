import type { Language, OutcomeError, ToolCallRecord } from "@artificer/protocol";
import type { HintFacts } from "./failure-hint.js";

/** What Python says when text was expected and a dict or list was given. */
const pythonSigns = [
  /must be (?:a )?(?:str|string)\b.*\bnot '?(dict|list)'?$/,
  /expected (?:str|string)\b.*(?:not|got) '?(dict|list)'?$/,
  /can only concatenate str \(not "(dict|list)"\) to str/,
  /unsupported operand type\(s\) for [^:]+: '(dict|list)' and 'str'/,
  /^'(dict|list)' object has no attribute '(?:split|splitlines|strip|lstrip|rstrip|startswith|endswith|lower|upper|replace|encode|find|partition|join|format)'$/,
  /^'(list)' object has no attribute 'get'$/,
  /^list indices must be integers or slices, not (str)$/,
  /^unhashable type: 'slice'$/,
  /^slice\(/,
];

const typescriptSigns = [
  /"?\[object Object\]"? is not valid JSON/,
  /\.(?:split|trim|startsWith|endsWith|toLowerCase|toUpperCase|replaceAll?|match|matchAll) is not a function$/,
];

/**
 * A cell called a tool and took what it answered for text. Told only when a call of this cell was answered: elsewhere the
 * mistake is likely to be about something else.
 */
export function notTextHint(
  error: OutcomeError,
  { language, toolCalls }: { language: Language; toolCalls: readonly ToolCallRecord[] },
  facts: HintFacts,
): string | undefined {
  const signs = language === "python" ? pythonSigns : typescriptSigns;
  const kinds = ["TypeError", "AttributeError", "KeyError", "SyntaxError"];
  if (!kinds.includes(error.type ?? "") || !signs.some((sign) => sign.test(error.message))) return undefined;
  const tools = [...new Set(toolCalls.filter(({ status }) => status === "completed").map(({ tool }) => tool))];
  if (tools.length === 0) return undefined;
  const shapes = tools.slice(0, 5).map((tool) => {
    const members = facts.resultMembers(tool);
    return members.length === 0 ? tool : `${tool} gives ${members.slice(0, 12).join(", ")}`;
  });
  const [access, print] = language === "python" ? ['result["key"]', "print"] : ["result.key", "console.log"];
  return `What a tool returns is a value already, not JSON text: don't parse or cut it, take its members (${access}), or ${print} it once to see its shape. Called here: ${shapes.join("; ")}.`;
}

/** An agent: any model that speaks OpenAI's chat completions, and a session of Artificer for its hands. */
import { createCodeModeTools, type Session } from "artificer";

/** Where the model is. `key` is sent as a bearer token. */
export interface ModelPlace {
  url: string;
  model: string;
  key?: string;
}

export interface AgentOptions extends ModelPlace {
  session: Session;
  /** Calls of the model at the most. Default 12. */
  maxTurns?: number;
  /** Told of each cell and what it gave, for a person who watches. */
  onStep?: (step: { code: string; answer: string }) => void;
  signal?: AbortSignal;
}

interface ToolCall {
  id: string;
  function: { name: string; arguments: string };
}

type Message =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: ToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

const instructions = `You answer by writing code. Look at data with small cells, keep what you find in variables, and print only what you need to read.
When you know the answer, say it in a sentence without calling a tool.`;

/** Works on a task until the model answers in words. @returns that answer. */
export async function runAgent(task: string, options: AgentOptions): Promise<string> {
  const { session, maxTurns = 12, onStep, signal } = options;
  const tools = createCodeModeTools(session);
  const messages: Message[] = [
    { role: "system", content: instructions },
    { role: "user", content: task },
  ];
  for (let turn = 0; turn < maxTurns; turn++) {
    const message = await complete(messages, tools, options);
    messages.push(message);
    if (message.role !== "assistant" || !message.tool_calls?.length) return message.content ?? "";
    for (const { id, function: called } of message.tool_calls) {
      const args = parse(called.arguments);
      const tool = tools.find(({ name }) => name === called.name);
      const known = tools.map(({ name }) => name).join(", ");
      const answer =
        tool === undefined
          ? `There is no tool ${called.name}; there are ${known}.`
          : (await tool.call(args, signal === undefined ? {} : { signal })).content;
      onStep?.({ code: String((args as { code?: unknown } | undefined)?.code ?? called.name), answer });
      messages.push({ role: "tool", tool_call_id: id, content: answer });
    }
  }
  throw new Error(`No answer after ${maxTurns} turns.`);
}

type Tools = ReturnType<typeof createCodeModeTools>;

async function complete(messages: readonly Message[], tools: Tools, options: AgentOptions): Promise<Message> {
  const { url, model, key, signal } = options;
  const response = await fetch(`${url.replace(/\/$/, "")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({
      model,
      messages,
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name, description, parameters: inputSchema },
      })),
    }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) throw new Error(`The model answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
  const { choices } = (await response.json()) as { choices: { message: Message }[] };
  const [choice] = choices;
  if (choice === undefined) throw new Error("The model gave no choice.");
  return choice.message;
}

/** What a model wrote as arguments may be no JSON: the tool then says what would be right. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

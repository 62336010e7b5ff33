/** The same task through two frameworks, each with its own tools made of a session's: the Vercel AI SDK and LangChain.js. */
import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { generateText, stepCountIs } from "ai";
import { Session } from "artificer";
import { cells, question, rightAnswer, shop } from "../shared/orders.js";
import { startScriptedModel } from "../shared/scripted-model.js";
import { aiSdkTools } from "./ai-sdk-tools.js";
import { langchainTools } from "./langchain-tools.js";

const { customer, cents } = rightAnswer();
const right = `It is ${customer}, with ${cents} cents.`;
const inWords = (last: string) => `It is ${last.trim().replace(" ", ", with ")} cents.`;

{
  await using session = new Session({ tools: [shop], embedder: null });
  const scripted = await startScriptedModel([
    () => ({ code: cells.look }),
    () => ({ code: cells.mistake }),
    () => ({ code: cells.mended }),
    (last) => ({ say: inWords(last) }),
  ]);
  const provider = createOpenAICompatible({ name: "scripted", baseURL: scripted.url });
  const { text, steps } = await generateText({
    model: provider("scripted"),
    tools: aiSdkTools(session),
    stopWhen: stepCountIs(10),
    prompt: question,
  });
  await scripted.close();
  console.log(`Vercel AI SDK: ${text}`);
  assert.equal(text, right);
  assert.equal(steps.length, 4);
}

{
  await using session = new Session({ tools: [shop], embedder: null });
  const tools = langchainTools(session);
  const messages: BaseMessage[] = [new HumanMessage(question)];
  // What a model bound to these tools would send; its answers go through LangChain's own tool and message classes.
  for (const [at, code] of [cells.look, cells.mistake, cells.mended].entries()) {
    const message = new AIMessage({ content: "", tool_calls: [{ id: `call-${at}`, name: "execute", args: { code } }] });
    messages.push(message);
    for (const call of message.tool_calls ?? []) {
      const named = tools.find(({ name }) => name === call.name);
      assert.ok(named, `no tool ${call.name}`);
      messages.push((await named.invoke({ ...call, type: "tool_call" })) as BaseMessage);
    }
  }
  const last = messages.at(-1);
  console.log(`LangChain.js: ${inWords(String(last?.content))}`);
  assert.equal(last?.getType(), "tool");
  assert.match(String(messages[4]?.content), /KeyError: 'amount'/);
  assert.equal(inWords(String(last?.content)), right);
  await assert.rejects(tools[0]!.invoke({ kode: "1" } as never), /schema/i);
}

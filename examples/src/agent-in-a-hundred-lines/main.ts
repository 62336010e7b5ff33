/**
 * An agent in a hundred lines (agent.ts) at work. Without more it plays against a scripted model over the real protocol, and checks
 * what was said both ways. With ARTIFICER_MODEL_URL (and ARTIFICER_MODEL, ARTIFICER_MODEL_KEY) it asks a real one:
 *
 *   ARTIFICER_MODEL_URL=http://127.0.0.1:11434/v1 ARTIFICER_MODEL=qwen3 node examples/dist/agent-in-a-hundred-lines/main.js
 */
import assert from "node:assert/strict";
import { Session } from "artificer";
import { cells, question, rightAnswer, shop } from "../shared/orders.js";
import { startScriptedModel } from "../shared/scripted-model.js";
import { runAgent } from "./agent.js";

const { ARTIFICER_MODEL_URL: url, ARTIFICER_MODEL: model = "default", ARTIFICER_MODEL_KEY: key } = process.env;
const { customer, cents } = rightAnswer();

await using session = new Session({ tools: [shop], embedder: null });
let read = 0;
const onStep = ({ code, answer }: { code: string; answer: string }) => {
  read += answer.length;
  console.log(`\n${code.replace(/^/gm, "  > ")}\n${answer.replace(/^/gm, "  | ")}`);
};

if (url === undefined) {
  const scripted = await startScriptedModel([
    () => ({ code: cells.look }),
    () => ({ garbage: "{'code': 'no JSON'}" }),
    () => ({ code: cells.mistake }),
    () => ({ code: cells.mended }),
    (last) => ({ say: `It is ${last.trim().replace(" ", ", with ")} cents.` }),
  ]);
  try {
    const answer = await runAgent(question, { session, url: scripted.url, model: "scripted", onStep });
    console.log(`\n${answer}`);
    assert.equal(answer, `It is ${customer}, with ${cents} cents.`);
    const told = scripted.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    assert.equal(told.length, 4);
    assert.match(String(told[0]?.content), /Out\[1\]: \(50, /);
    assert.match(String(told[1]?.content), /code/, "arguments that are no JSON are answered with what would be right");
    assert.match(String(told[2]?.content), /KeyError: 'amount'/, "the model reads its own mistake");
    assert.ok(read < 4000, `the model read ${read} characters of 600 orders`);
    const [first] = scripted.requests;
    assert.deepEqual(
      first?.tools?.map(({ function: { name } }) => name),
      ["execute", "restart"],
    );
    assert.match(first?.tools?.[0]?.function.description ?? "", /tools\.shop\.orders\(page: int\)/);
  } finally {
    await scripted.close();
  }
} else {
  const answer = await runAgent(question, { session, url, model, onStep, ...(key === undefined ? {} : { key }) });
  console.log(
    `\n${answer}\n\nThe right answer is ${customer}, with ${cents} cents; the model read ${read} characters.`,
  );
  assert.ok(answer.includes(customer) && answer.replace(/[^\d]/g, "").includes(String(cents)), "that is not it");
}

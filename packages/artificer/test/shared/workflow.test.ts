import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, type Language, type Outcome, Session } from "../../src/index.js";

const shop = createToolkit({
  name: "shop",
  description: "Orders",
  tools: {
    orders: defineTool({
      description: "The orders of a month",
      input: z.object({ month: z.int().min(1).max(12) }),
      effect: "read",
      run: ({ month }) => Array.from({ length: 3 }, (_, at) => ({ id: month * 10 + at, amount: at + 0.5 })),
    }),
  },
});

/** One step: the same cell in both languages, and what must come of it in either. */
interface Step {
  does: string;
  python: string;
  typescript: string;
  status?: Outcome["status"];
  value?: unknown;
  names?: string[];
  shared?: string[];
  stdout?: string;
  error?: { code: string; line: number; message?: unknown };
  tools?: string[];
}

const orders = [
  { id: 50, amount: 0.5 },
  { id: 51, amount: 1.5 },
  { id: 52, amount: 2.5 },
];

const steps: readonly Step[] = [
  {
    does: "calls a tool and keeps what it answers",
    python: "orders = tools.shop.orders(month=5)\norders",
    typescript: "const orders = await tools.shop.orders({ month: 5 });\norders",
    value: orders,
    names: ["orders"],
    tools: ["shop.orders"],
  },
  {
    does: "works on it in the next cell",
    python: "total = sum(order['amount'] for order in orders)\ntotal",
    typescript: "const total = orders.reduce((sum, order) => sum + order.amount, 0);\ntotal",
    value: 4.5,
    names: ["total"],
  },
  {
    does: "prints",
    python: "print('total', total)",
    typescript: "console.log('total', total)",
    stdout: "total 4.5\n",
  },
  {
    does: "has the last values by their names",
    python: "[_, __[0]['id'], Out[2]]",
    typescript: "[_, __[0].id, Out[2]]",
    value: [4.5, 50, 4.5],
  },
  {
    does: "calls tools together",
    python:
      "import asyncio\nboth = await asyncio.gather(shop.orders(month=1), shop.orders(month=2))\n[len(one) for one in both]",
    typescript:
      "const both = await Promise.all([shop.orders({ month: 1 }), shop.orders({ month: 2 })]);\nboth.map((one) => one.length)",
    value: [3, 3],
    tools: ["shop.orders", "shop.orders"],
  },
  {
    does: "is refused a wrong argument, with the code",
    python: "tools.shop.orders(month=13)",
    typescript: "await tools.shop.orders({ month: 13 })",
    status: "failed",
    error: { code: "cell/exception", line: 1, message: expect.stringMatching("12") },
    tools: ["shop.orders"],
  },
  {
    does: "is told the nearest tool for an unknown one",
    python: "tools.shop.order(month=1)",
    typescript: "await tools.shop.order({ month: 1 })",
    status: "failed",
    error: { code: "cell/exception", line: 1, message: expect.stringMatching("Did you mean .?orders") },
  },
  {
    does: "catches a failure and goes on",
    python:
      "from artificer_tools import ArtificerError\ntry:\n    tools.shop.orders(month='May')\nexcept ArtificerError as error:\n    code = error.code\ncode",
    typescript:
      "var code;\ntry {\n  await tools.shop.orders({ month: 'May' });\n} catch (error) {\n  code = (error as ArtificerError).code;\n}\ncode",
    value: "tool/invalid-argument",
    names: ["code"],
    tools: ["shop.orders"],
  },
  {
    does: "fails with the line, and keeps its state",
    python: "before = 1\nraise ValueError('broken')",
    typescript: "var before = 1\nthrow new RangeError('broken')",
    status: "failed",
    error: { code: "cell/exception", line: 2 },
  },
  {
    does: "does not parse, and nothing of it runs",
    python: "total = 0\nx = = 1",
    typescript: "total = 0\nx = = 1",
    status: "failed",
    error: { code: "cell/syntax", line: 2 },
  },
  { does: "finds everything as it was", python: "[total, before]", typescript: "[total, before]", value: [4.5, 1] },
  {
    does: "defines a function that uses another",
    python: "def tax(amount):\n    return amount * rate()\ndef rate():\n    return 2\ntax(10)",
    typescript:
      "function tax(amount: number): number {\n  return amount * rate();\n}\nfunction rate() {\n  return 2;\n}\ntax(10)",
    value: 20,
  },
  {
    does: "redefines it, and the function made before sees the new one",
    python: "def rate():\n    return 3\ntax(10)",
    typescript: "const rate = () => 3;\ntax(10)",
    value: 30,
  },
  {
    does: "redeclares a name with another kind of value",
    python: "class orders:\n    count = 3\norders.count",
    typescript: "class orders {\n  static count = 3;\n}\norders.count",
    value: 3,
    names: ["orders"],
  },
  {
    does: "saves an artifact and loads it",
    python: "artifacts.save('report', {'total': total})\nartifacts.load('report')",
    typescript: "await artifacts.save('report', { total });\nawait artifacts.load('report')",
    value: { total: 4.5 },
  },
  {
    does: "is told which artifact there is not",
    python: "artifacts.load('nowhere')",
    typescript: "await artifacts.load('nowhere')",
    status: "failed",
    error: { code: "cell/exception", line: 1, message: expect.stringMatching("nowhere") },
  },
  {
    does: "creates a skill of its own language and calls it",
    python:
      "made = skills.create(name='double_py', description='Twice a number', source='def run(n: int) -> int:\\n    return n * 2\\n')\nskills.double_py(n=21)",
    typescript:
      "const made = await skills.create({ name: 'double_ts', description: 'Twice a number', source: 'export function run({ n }: { n: number }): number { return n * 2; }' });\nawait skills.double_ts({ n: 21 })",
    value: 42,
  },
  {
    does: "calls the skill that the host has written in the other language",
    python: "skills.triple_ts(n=14)",
    typescript: "await skills.triple_py({ n: 14 })",
    value: 42,
  },
  {
    does: "creates a skill of the other language and calls it",
    python:
      "made = skills.create(name='half_ts', language='typescript', description='Half a number', source='export function run({ n }: { n: number }): number { return n / 2; }')\nskills.half_ts(n=84)",
    typescript:
      "const made = await skills.create({ name: 'half_py', language: 'python', description: 'Half a number', source: 'def run(n):\\n    return n / 2\\n' });\nawait skills.half_py({ n: 84 })",
    value: 42,
  },
  {
    does: "gets the skill's failure as an error",
    python: "skills.invoke('no_such_skill')",
    typescript: "await skills.invoke('no_such_skill')",
    status: "failed",
    error: { code: "cell/exception", line: 1, message: expect.stringMatching("no_such_skill") },
  },
  {
    does: "shares a value",
    python: "share('total', {'sum': total, 'big': 2**70})",
    typescript: "await share('total', { sum: total, big: 2n ** 70n })",
    shared: ["total"],
  },
  { does: "takes it", python: "take('total')", typescript: "await take('total')", value: { sum: 4.5, big: 2n ** 70n } },
  { does: "takes it by its name", python: "shared.total['sum']", typescript: "(await shared.total).sum", value: 4.5 },
  {
    does: "takes what the host has shared",
    python: "shared.from_host",
    typescript: "await shared.from_host",
    value: [1, new Set([2])],
  },
  {
    does: "lists what is shared",
    python: "sorted(shared)",
    typescript: "Object.keys(shared).sort()",
    value: ["from_host", "total"],
  },
  { does: "asks whether it is shared", python: "'total' in shared", typescript: "'total' in shared", value: true },
  {
    does: "is told the nearest name for one that is not shared",
    python: "shared.totals",
    typescript: "await shared.totals",
    status: "failed",
    error: { code: "cell/exception", line: 1, message: expect.stringMatching("Did you mean total") },
  },
  {
    does: "is refused a name that could not be written",
    python: "share('no name', 1)",
    typescript: "await share('no name', 1)",
    status: "failed",
    error: { code: "cell/exception", line: 1, message: expect.stringMatching("no name") },
  },
  {
    does: "is refused what can't cross, with the path",
    python: "share('bad', {'f': [print]})",
    typescript: "await share('bad', { f: [console.log] })",
    status: "failed",
    error: { code: "cell/exception", line: 1, message: expect.stringMatching("\\$\\.f\\[0\\]") },
  },
  {
    does: "lets go of it",
    python: "del shared.total\nlist(shared)",
    typescript: "delete shared.total;\nObject.keys(shared)",
    value: ["from_host"],
  },
  {
    does: "tells whether there was anything to let go of",
    python: "unshare('total')",
    typescript: "await unshare('total')",
    value: false,
  },
];

describe.each<[Language, "python" | "typescript"]>([
  ["python", "python"],
  ["typescript", "typescript"],
])("the workflow in %s, cell for cell", (language) => {
  let session: Session;
  beforeAll(async () => {
    session = new Session({ embedder: null, tools: [shop] });
    await session.share("from_host", [1, new Set([2])]);
    const description = "Three times a number";
    await session.createSkill({ name: "triple_py", description, source: "def run(n):\n    return n * 3\n" });
    const source = "export function run({ n }: { n: number }): number { return n * 3; }";
    await session.createSkill({ name: "triple_ts", description, language: "typescript", source });
  });
  afterAll(() => session.close());

  it.each(steps)("$does", async (step) => {
    const outcome = await session.run(step[language], { language });
    expect(outcome.error).toEqual(step.error === undefined ? undefined : expect.objectContaining(step.error));
    expect(outcome).toMatchObject({ status: step.status ?? "completed", generation: 1, state: { variables: "kept" } });
    expect(outcome.value).toEqual(step.value);
    expect(outcome.stdout).toBe(step.stdout ?? "");
    expect(outcome.shared).toEqual(step.shared ?? []);
    if (step.names !== undefined) expect(outcome.names).toEqual(expect.arrayContaining(step.names));
    expect(outcome.toolCalls.map(({ tool }) => tool)).toEqual(step.tools ?? []);
  });
});

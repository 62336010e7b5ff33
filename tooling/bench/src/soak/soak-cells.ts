/** Tool calls of every cell of a soak. */
export const callsPerCell = 10;

/** What a soak's cell is expected to come to. */
export interface SoakCell {
  code: string;
  status: "completed" | "failed";
  /** Of those that have a value that says whether the calls were right. */
  value?: number;
}

/** The cells of a soak, in one language. */
export interface SoakLanguage {
  language: "python" | "typescript";
  /** A cell whose value is its process. */
  pid: string;
  /** The cell number `n`. */
  cell(n: number): SoakCell;
}

const total = (callsPerCell * (callsPerCell - 1)) / 2;

/** A conversation's cells, of ten kinds in turns; names come back every hundred cells, as they do in a notebook. */
const kinds: readonly ((n: number) => SoakCell)[] = [
  () => ({ code: `sum(tools.bench.ping(n=n) for n in range(${callsPerCell}))`, status: "completed", value: total }),
  () => ({
    code: `import asyncio\nsum(await asyncio.gather(*(bench.ping(n=n) for n in range(${callsPerCell}))))`,
    status: "completed",
    value: total,
  }),
  (n) => ({
    code: `for k in range(${callsPerCell}):\n    print("line", tools.bench.ping(n=k), "of cell ${n}")`,
    status: "completed",
  }),
  (n) => ({
    code: `def step_${n % 100}(x):\n    return x + tools.bench.ping(n=${n})\n\nsum(step_${n % 100}(k) for k in range(${callsPerCell})) - ${n * callsPerCell}`,
    status: "completed",
    value: total,
  }),
  (n) => ({
    code: `rows_${n % 100} = [{"k": tools.bench.ping(n=k), "text": "row %d" % k} for k in range(${callsPerCell})]\nraise ValueError("as asked for in ${n}")`,
    status: "failed",
  }),
  (n) => ({
    code: `class Shape${n % 100}:\n    def __init__(self, side):\n        self.side = tools.bench.ping(n=side)\n\nsum(Shape${n % 100}(k).side for k in range(${callsPerCell}))`,
    status: "completed",
    value: total,
  }),
  () => ({
    code: `from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as pool:\n    found = sum(pool.map(lambda k: tools.bench.ping(n=k), range(${callsPerCell})))\nfound`,
    status: "completed",
    value: total,
  }),
  (n) => ({
    code: `display({"cell": ${n}})\nkept_${n % 100} = [tools.bench.ping(n=k) for k in range(${callsPerCell})]\nsum(kept_${n % 100})`,
    status: "completed",
    value: total,
  }),
  () => ({
    code: `import sys\nfor k in range(${callsPerCell}):\n    print("to stderr", tools.bench.ping(n=k), file=sys.stderr)\n    print("to stdout", k)`,
    status: "completed",
  }),
  (n) => ({
    code: `try:\n    tools.bench.ping(n="no number")\nexcept Exception as error:\n    pass\nsum(tools.bench.ping(n=k) for k in range(${callsPerCell - 1})) + ${n} * 0 + ${callsPerCell - 1}`,
    status: "completed",
    value: total,
  }),
];

export const pythonSoak: SoakLanguage = { language: "python", pid: "import os; os.getpid()", cell: inTurns(kinds) };

/** The same, and what IPython alone has. */
export const ipythonSoak: SoakLanguage = {
  ...pythonSoak,
  cell: inTurns([
    ...kinds,
    () => ({
      code: `%time found = sum(tools.bench.ping(n=k) for k in range(${callsPerCell}))\nfound`,
      status: "completed",
      value: total,
    }),
    (n) => ({
      code: `history_${n % 100} = len(In)\nsum(tools.bench.ping(n=k) for k in range(${callsPerCell})) + 0 * history_${n % 100}`,
      status: "completed",
      value: total,
    }),
  ]),
};

const calls = `await Promise.all(Array.from({ length: ${callsPerCell} }, (_, k) => tools.bench.ping({ n: k })))`;
const sum = "reduce((sum: number, each: number) => sum + each, 0)";

const typescriptKinds: readonly ((n: number) => SoakCell)[] = [
  () => ({ code: `(${calls}).${sum}`, status: "completed", value: total }),
  () => ({
    code: `let found = 0;\nfor (let k = 0; k < ${callsPerCell}; k++) found += await tools.bench.ping({ n: k });\nfound`,
    status: "completed",
    value: total,
  }),
  (n) => ({
    code: `for (let k = 0; k < ${callsPerCell}; k++) console.log("line", await tools.bench.ping({ n: k }), "of cell ${n}");`,
    status: "completed",
  }),
  (n) => ({
    code: `async function step_${n % 100}(x: number): Promise<number> { return x + (await tools.bench.ping({ n: 0 })); }
(await Promise.all(Array.from({ length: ${callsPerCell} }, (_, k) => step_${n % 100}(k)))).${sum}`,
    status: "completed",
    value: total,
  }),
  (n) => ({
    code: `const rows_${n % 100} = (${calls}).map((k: number) => ({ k, text: \`row \${k}\` }));\nthrow new RangeError("as asked for in ${n}");`,
    status: "failed",
  }),
  (n) => ({
    code: `class Shape${n % 100} { constructor(readonly side: number) {} }
(${calls}).map((k: number) => new Shape${n % 100}(k).side).${sum}`,
    status: "completed",
    value: total,
  }),
  (n) => ({
    code: `display({ cell: ${n} });\nconst kept_${n % 100} = ${calls};\nkept_${n % 100}.${sum}`,
    status: "completed",
    value: total,
  }),
  (n) => ({
    code: `try { await tools.bench.ping({ n: "no number" } as never); } catch {}
(await Promise.all(Array.from({ length: ${callsPerCell - 1} }, (_, k) => tools.bench.ping({ n: k })))).${sum} + ${callsPerCell - 1} + 0 * ${n}`,
    status: "completed",
    value: total,
  }),
];

export const typescriptSoak: SoakLanguage = {
  language: "typescript",
  pid: "process.pid",
  cell: inTurns(typescriptKinds),
};

function inTurns(cells: readonly ((n: number) => SoakCell)[]): (n: number) => SoakCell {
  return (n) => (cells[n % cells.length] as (n: number) => SoakCell)(n);
}

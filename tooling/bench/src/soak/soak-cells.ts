/** Tool calls of every cell of a soak. */
export const callsPerCell = 10;

/** What a soak's cell is expected to come to. */
export interface SoakCell {
  code: string;
  status: "completed" | "failed";
  /** Of those that have a value that says whether the calls were right. */
  value?: number;
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

/** The cell number `n` of a soak. */
export function soakCell(n: number): SoakCell {
  return (kinds[n % kinds.length] as (n: number) => SoakCell)(n);
}

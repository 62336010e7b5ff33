import { openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

/** Ten lines that use a tool, an earlier cell's name, generics and a library's types; the last has an error, so that nothing runs. */
const cell = (sample: number) => `const answers = await Promise.all([1, 2, 3].map((n) => tools.bench.ping({ n })));
const sizes = new Map<string, number>();
for (const [index, name] of names.entries()) sizes.set(name, index + ${sample});
function total(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
console.log(answers.length, total(sizes.values()), Buffer.from("text").toString("hex"));
const wrong: number = names.join(", ");`;

/** The check of a cell before it runs, when the compiler is warm. */
export const typeCheck: Row = {
  name: "type-check of a ten-line cell after the first",
  limit: "a cell that does not parse",
  operations: 1,
  warmUps: 10,
  samples: 100,
  budget: "p50 under 100 ms",
  async open(bench) {
    const session = openBenchSession(bench);
    const options = { language: "typescript", check: true } as const;
    await session.run("const names = ['tea', 'milk'];", options);
    let sample = 0;
    return {
      async ours() {
        // Another text each time, as cells are.
        const outcome = await session.run(cell(++sample), options);
        return () => {
          const problems = outcome.error?.problems;
          if (problems?.length !== 1 || problems[0]?.line !== 10) throw new Error(`wrong answer: ${outcome.toText()}`);
        };
      },
      async bare() {
        await session.run("const = 1", { language: "typescript" });
        return undefined;
      },
      close: () => session.close(),
    };
  },
};

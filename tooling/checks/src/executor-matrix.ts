import { createContainerExecutor } from "@artificer/executors/container";
import { createInprocessExecutor } from "@artificer/executors/inprocess";
import { createSandboxExecutor } from "@artificer/executors/sandbox";
import { createSubprocessExecutor } from "@artificer/executors/subprocess";
import type { Executor, ExecutorCapabilities } from "@artificer/protocol";

/** The page with the matrix in it. */
export const executorsPage = "docs/executors.md";

/** Where the suite proves what an executor declares. */
export const contractTestOf = (kind: string) => `packages/executors/test/${kind}.contract.test.ts`;

const begin = "<!-- Made from what executors declare, and the contract suite proves, by `pnpm regenerate`. -->";
const end = "<!-- End of what is made. -->";

/** Every executor, as it declares itself when it is given no options. */
export function executorsOfMatrix(): Executor[] {
  return [createSubprocessExecutor(), createInprocessExecutor(), createSandboxExecutor(), createContainerExecutor()];
}

/** The page with the matrix as it is now. @throws Error when the page has no place for it */
export function withExecutorMatrix(page: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${executorsPage} lacks the line ${begin} or ${end}`);
  return `${before}${begin}\n${renderMatrix()}${end}${after}`;
}

function renderMatrix(): string {
  const rows = executorsOfMatrix().map(({ kind, capabilities }) => [kind, ...cells(capabilities), `\`${contractTestOf(kind)}\``]);
  const head = ["executor", "isolation", "languages", "network", "limits that it enforces", "a stuck kernel", "a process of its own", "proven by"];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |\n`).join("");
}

function cells({ isolation, languages, network, limits, limitsUnlessRoot = [], kill, ownProcess = true }: ExecutorCapabilities) {
  const always = limits.filter((limit) => !limitsUnlessRoot.includes(limit)).join(", ");
  const others = limitsUnlessRoot.map((limit) => `, and ${limit} unless root runs it`).join("");
  return [
    isolation,
    languages.join(", "),
    network,
    `${always}${others}`,
    kill ? "is ended" : "stays",
    ownProcess ? "yes" : "no: what needs one is refused by name",
  ];
}

import { createContainerExecutor } from "@artificer/executors/container";
import { createInprocessExecutor } from "@artificer/executors/inprocess";
import { createRemoteExecutor } from "@artificer/executors/kernel-server";
import { createSandboxExecutor } from "@artificer/executors/sandbox";
import { createSubprocessExecutor } from "@artificer/executors/subprocess";
import type { Executor, ExecutorCapabilities } from "@artificer/protocol";

/** The page with the matrix in it. */
export const executorsPage = "docs/executors.md";

const begin = "<!-- Made from what executors declare, and the contract suite proves, by `pnpm regenerate`. -->";
const end = "<!-- End of what is made. -->";

interface MatrixRow {
  name: string;
  executor: Executor;
  /** Where the suite proves what it declares. */
  provenBy: string;
}

/** Every executor, as it declares itself when it is given no options. */
export function matrixRows(): MatrixRow[] {
  const remote = createRemoteExecutor({ url: "unix:/of/a/server", token: async () => undefined });
  const own = [
    createSubprocessExecutor(),
    createInprocessExecutor(),
    createSandboxExecutor(),
    createContainerExecutor(),
  ];
  return [
    ...own.map((executor) => ({
      name: executor.kind,
      executor,
      provenBy: `packages/executors/test/${executor.kind}.contract.test.ts`,
    })),
    { name: "container, by its URL", executor: remote, provenBy: "apps/cli/test/kernel-server.contract.test.ts" },
  ];
}

/** The page with the matrix as it is now. @throws Error when the page has no place for it */
export function withExecutorMatrix(page: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${executorsPage} lacks the line ${begin} or ${end}`);
  return `${before}${begin}\n${renderMatrix()}${end}${after}`;
}

function renderMatrix(): string {
  const rows = matrixRows().map(({ name, executor, provenBy }) => [
    name,
    ...cells(executor.capabilities),
    `\`${provenBy}\``,
  ]);
  const head = [
    "executor",
    "isolation",
    "languages",
    "network",
    "limits that it enforces",
    "a stuck kernel",
    "a process of its own",
    "proven by",
  ];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |\n`).join("");
}

function cells({
  isolation,
  languages,
  network,
  limits,
  limitsUnlessRoot = [],
  kill,
  ownProcess = true,
}: ExecutorCapabilities) {
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

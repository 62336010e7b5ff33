/** What one package may reach among the workspace's packages. */
export interface Layer {
  /** In `src` and in `dependencies`. */
  imports: readonly string[];
  /** In tests and in `devDependencies`, besides `imports` and the tooling that every package may use. */
  testImports?: readonly string[];
  /** Set when the package must stay free of everything but these packages of others; a browser runs it. */
  onlyForeign?: readonly string[];
}

/** What every package may use to build and test itself. */
export const toolingForAll: readonly string[] = ["@artificer/tsconfig", "@artificer/vitest-preset"];

const protocol = "@artificer/protocol";
const testkit = "@artificer/testkit";
const kernels = ["@artificer/kernel-python", "@artificer/kernel-typescript"];
const drivers = [
  "@artificer/embeddings",
  "@artificer/executors",
  "@artificer/storage-file",
  "@artificer/storage-postgres",
  "@artificer/storage-redis",
  "@artificer/tools",
];
const product = ["artificer", protocol, "@artificer/runtime", ...drivers, ...kernels, testkit];

/**
 * Who may import whom. Imports point down only: drivers know the protocol and neither each other nor the runtime; the
 * runtime knows no driver; `artificer` alone knows every driver. A new package needs a line here and a page in docs/decisions.
 */
export const layers: Readonly<Record<string, Layer>> = {
  [protocol]: { imports: [], onlyForeign: ["zod"] },
  "@artificer/runtime": { imports: [protocol], testImports: [] },
  "@artificer/executors": { imports: [protocol], testImports: [testkit, ...kernels] },
  "@artificer/kernel-python": { imports: [protocol], testImports: [testkit] },
  "@artificer/kernel-typescript": { imports: [protocol], testImports: [testkit] },
  "@artificer/storage-file": { imports: [protocol], testImports: [testkit] },
  "@artificer/storage-postgres": { imports: [protocol], testImports: [testkit] },
  "@artificer/storage-redis": { imports: [protocol], testImports: [testkit] },
  "@artificer/tools": { imports: [protocol], testImports: [testkit] },
  "@artificer/embeddings": { imports: [protocol], testImports: [testkit] },
  [testkit]: { imports: [protocol, "@artificer/runtime"] },
  artificer: { imports: [protocol, "@artificer/runtime", ...drivers, ...kernels], testImports: [testkit] },
  "@artificer/cli": { imports: ["artificer", protocol], testImports: [testkit] },
  "@artificer/examples": { imports: product },
  "@artificer/bench": { imports: product },
  "@artificer/checks": { imports: [protocol, "@artificer/executors"], testImports: ["@artificer/vitest-preset"] },
  "@artificer/tsconfig": { imports: [] },
  "@artificer/vitest-preset": { imports: [] },
};

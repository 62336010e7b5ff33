import { defineConfig } from "vitest/config";

// Real processes and sockets on a busy machine: a bound that only a hang reaches.
export default defineConfig({ test: { include: ["test/**/*.test.ts"], testTimeout: 30_000, hookTimeout: 30_000 } });

import { defineConfig } from "vitest/config";

// Every test drives real processes: time-outs are for hangs only, never a measure.
export default defineConfig({ test: { include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 } });

import { decodeValue, encodeValue } from "@artificer/protocol";
import { expect } from "vitest";
import type { ExecutorCase } from "./executor-case.js";

/** What every kernel does: values, state, environment. */
export const stateCases: readonly ExecutorCase[] = [
  {
    id: "executor.value.last-expression",
    title: "the last expression is the outcome's value, with its repr and its generation",
    async run({ run, code, language }) {
      const outcome = await run(code.value);
      expect(outcome).toMatchObject({
        status: "completed",
        value: 2,
        repr: "2",
        generation: 1,
        cell: 1,
        language,
        state: { variables: "kept" },
      });
      expect(outcome.error).toBeUndefined();
      expect(JSON.parse(JSON.stringify(outcome))).toMatchObject({ status: "completed", value: 2 });
      expect(outcome.toText()).toContain("2");
    },
  },
  {
    id: "executor.value.rich",
    title: "bytes and big integers arrive as themselves",
    async run({ run, code }) {
      expect((await run(code.bytes)).value).toEqual(Uint8Array.from({ length: 256 }, (_, index) => index));
      expect((await run(code.bigInteger)).value).toBe(2n ** 100n);
    },
  },
  {
    id: "executor.state.persists",
    title: "variables live on from cell to cell [M9] [A1]",
    async run({ run, code }) {
      await run(code.setCounter);
      expect(await run(code.readCounter)).toMatchObject({ value: 42, cell: 2, generation: 1 });
    },
  },
  {
    id: "executor.state.restart",
    title: "a restart gives a fresh kernel of the next generation, and the next cell is told [M9]",
    async run({ run, code, session, language }) {
      await run(code.setCounter);
      await session.restart(language);
      const outcome = await run(code.readCounter);
      expect(outcome).toMatchObject({ status: "failed", generation: 2 });
    },
  },
  {
    id: "executor.cell.top-level-await",
    title: "await works at the top level",
    async run({ run, code }) {
      expect(await run(code.topLevelAwait)).toMatchObject({ status: "completed", value: 7 });
    },
  },
  {
    id: "executor.environment.scrubbed",
    title: "the host's secrets are not in the kernel's environment [M6]",
    async run({ run, code }) {
      const env = (await run(code.environment)).value as Record<string, string>;
      expect(
        Object.keys(env)
          .filter((name) => name.startsWith("ARTIFICER_"))
          .sort(),
      ).toEqual(["ARTIFICER_BASE", "ARTIFICER_HOME", "ARTIFICER_LANGUAGE", "ARTIFICER_SESSION"]);
      expect(JSON.stringify(env)).not.toMatch(/not-for-cells|secret@host/);
    },
  },
  {
    id: "executor.wire.codec",
    title: "what a kernel sends decodes to what the host would encode",
    async run({ run, code }) {
      const { value } = await run(code.bytes);
      const { json, parts } = encodeValue(value);
      expect(decodeValue(json, parts)).toEqual(value);
    },
  },
];

import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/parse-config.js";
import { snapshotFromConfig } from "../../src/config/snapshot-from-config.js";

describe("config.yaml", () => {
  it("may be empty: every key has a default [M11]", () => {
    expect(parseConfig("# nothing yet\n", "config.yaml")).toMatchObject({
      executor: "subprocess",
      code_execution: { timeout: 300, max_tool_calls: 50, max_stdout: 50_000, max_stderr: 10_000 },
      embeddings: { engine: "local" },
    });
  });

  it("takes sizes in the units that people write [M11]", () => {
    const { code_execution } = parseConfig("code_execution:\n  memory: 1.5GiB\n  max_stdout: 64kB\n", "c");
    expect(code_execution).toMatchObject({ memory: 1.5 * 2 ** 30, max_stdout: 64_000 });
  });

  it("says whether variables are kept, and within what bounds; what a session asks for goes first [A7]", () => {
    const config = parseConfig(
      "code_execution:\n  snapshot: true\nsnapshots:\n  debounce: 0.1\n  max_total: 5MB\n",
      "c",
    );
    expect(snapshotFromConfig(config, {})).toEqual({ debounceMs: 100, maxTotalBytes: 5_000_000 });
    expect(snapshotFromConfig(config, { snapshot: { debounceMs: 7 } })).toEqual({
      debounceMs: 7,
      maxTotalBytes: 5_000_000,
    });
    expect(snapshotFromConfig(config, { snapshot: false, id: "one" })).toBe(false);
    const empty = parseConfig("", "c");
    expect(snapshotFromConfig(empty, {})).toBe(false);
    expect(snapshotFromConfig(empty, { id: "one" })).toEqual({});
    expect(snapshotFromConfig(parseConfig("code_execution: {snapshot: false}", "c"), { id: "one" })).toBe(false);
  });

  it("refuses an unknown key with its line, the nearest known one and all that are allowed [M11]", () => {
    expect(() => parseConfig("executor: subprocess\ncode_execution:\n  max_tool_call: 9\n", "/b/config.yaml")).toThrow(
      expect.objectContaining({
        code: "config/unknown-key",
        message: "/b/config.yaml, line 3: there is no key code_execution.max_tool_call.",
        hint: expect.stringContaining("Did you mean max_tool_calls?"),
      }),
    );
    expect(() => parseConfig("exekutor: x\n", "c")).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("executor") }),
    );
  });

  it.each([
    ["code_execution:\n  timeout: soon\n", "code_execution.timeout", 2],
    ["code_execution:\n  timeout: -1\n", "code_execution.timeout", 2],
    ["code_execution:\n  memory: lots\n", "code_execution.memory", 2],
    ["embeddings:\n  engine: cloud\n", "embeddings.engine", 2],
    ["code_execution: 5\n", "code_execution", 1],
  ])("refuses a wrong value, naming the key and the line (%#)", (text, key, line) => {
    expect(() => parseConfig(text, "c")).toThrow(
      expect.objectContaining({ code: "config/invalid", details: { file: "c", line, key } }),
    );
  });

  it.each(["a: [1", "a: b: c", "\tkey: 1", "a: 1\na: 2\n"])("refuses what is no YAML, with the line (%#)", (text) => {
    expect(() => parseConfig(text, "c")).toThrow(
      expect.objectContaining({
        code: "config/unreadable",
        details: expect.objectContaining({ file: "c", line: expect.any(Number) }),
      }),
    );
  });
});

import { ArtificerError } from "@artificer/protocol";
import { describe, expect, test } from "vitest";
import { readFrontMatter } from "../../src/skills/front-matter.js";
import { splitFrontMatter } from "../../src/skills/split-front-matter.js";

const read = (text: string) => readFrontMatter(splitFrontMatter(text));

function failure(text: string): ArtificerError {
  try {
    read(text);
  } catch (error) {
    if (ArtificerError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("front matter", () => {
  test.each([
    ["a Python comment", "# ---\n# description: x\n# ---\ndef run(): pass\n"],
    ["a TypeScript comment", "// ---\n// description: x\n// ---\nexport function run() {}\n"],
    ["a block comment", "/* ---\ndescription: x\n--- */\nexport function run() {}\n"],
    ["plain", "---\ndescription: x\n---\ndef run(): pass\n"],
    ["marked as UTF-8", "\ufeff---\ndescription: x\n---\n"],
  ])("is read from a file where it is %s", (_, text) => {
    expect(read(text)).toEqual({ description: "x" });
  });

  test("takes every field", () => {
    const text = [
      "---",
      "name: mine",
      "description: >",
      "  Longer than",
      "  one line.",
      "version: 3",
      "tags: [a, b]",
      "language: python",
      "required_environment_variables:",
      "- TOKEN",
      "deps: ['requests>=2']",
      "tools: [curl.get]",
      "---",
    ].join("\n");
    expect(read(text)).toEqual({
      name: "mine",
      description: "Longer than one line.\n",
      version: 3,
      tags: ["a", "b"],
      language: "python",
      requiredEnvironmentVariables: ["TOKEN"],
      deps: ["requests>=2"],
      tools: ["curl.get"],
    });
  });

  test.each([
    ["none", "def run(): pass\n"],
    ["a divider between comments", "# ---\n# Helpers: for later\n# ---\ndef run(): pass\n"],
    ["a comment that is never closed", "# ---\n# description: x\ndef run(): pass\n"],
    ["an empty block", "---\n---\n"],
    ["an empty file", ""],
    ["fields without content", "---\ndescription:\ntags:\n---\n"],
  ])("is nothing where there is %s", (_, text) => {
    expect(read(text)).toEqual({});
  });

  test.each([
    ["---\ndescripton: x\n---\n", { field: "descripton", line: 2 }, "Did you mean description?"],
    [
      "\n\n---\nname: x\ncolour: red\n---\n",
      { field: "colour", line: 5 },
      expect.stringContaining("required_environment_variables"),
    ],
    ["---\nrequiredEnvironmentVariables: [A]\n---\n", { line: 2 }, "Did you mean required_environment_variables?"],
    ["---\nversion: 1.5\n---\n", { field: "version", line: 2 }, undefined],
    ["---\nversion: latest\n---\n", { field: "version" }, undefined],
    ["# ---\n# name: x\n# tags: legal, npm\n# ---\n", { field: "tags", line: 3 }, undefined],
    ["---\nlanguage: ruby\n---\n", { field: "language" }, undefined],
    [
      "---\nrequired_environment_variables: [not-a-name]\n---\n",
      { field: "required_environment_variables" },
      undefined,
    ],
    ["---\ndescription: [a\n---\n", { line: 2 }, undefined],
    ["---\nname: a\nname: b\n---\n", { line: 3 }, undefined],
    ["---\njust a sentence\n---\n", { line: 2 }, expect.stringContaining("description:")],
    ["---\ndescription: x\ndef run(): pass\n", { line: 1 }, expect.stringContaining("three dashes")],
    ["---\n__proto__: x\n---\n", { field: "__proto__" }, expect.any(String)],
  ])("is refused in %j, naming the line and field", (text, details, hint) => {
    expect(failure(text)).toMatchObject({ code: "skill/invalid-front-matter", details, ...(hint && { hint }) });
  });

  test("says which values are allowed", () => {
    expect(failure("---\nlanguage: ruby\n---\n").message).toMatch(/python or typescript/);
    expect(failure("---\ntags: legal\n---\n").message).toMatch(/list of texts, e\.g\. \[legal, npm\]/);
  });

  test("does not evaluate what YAML could be made to build", () => {
    expect(failure("---\ndescription: !!js/function 'return 1'\nname: [x]\n---\n").code).toBe(
      "skill/invalid-front-matter",
    );
    const bomb = `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\ntags: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n---\n`;
    expect(failure(bomb).code).toBe("skill/invalid-front-matter");
    const tags = `---\ntags: &t [a]\ndeps: [*t]\n---\n`;
    expect(failure(tags).code).toBe("skill/invalid-front-matter");
  });
});

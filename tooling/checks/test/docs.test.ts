import { describe, expect, it } from "vitest";
import { commandHelp } from "../src/command-help.js";
import { linkProblems } from "../src/link-problems.js";
import { readMarkdown } from "../src/markdown.js";
import { readSource } from "../src/read-source.js";
import { shellProblems } from "../src/shell-problems.js";
import { sourceFiles } from "../src/source-files.js";
import { rootManifest, workspacePackages } from "../src/workspace-packages.js";

const packages = workspacePackages();
const pages = sourceFiles(".", (path) => path.endsWith(".md"));
const known = {
  scripts: new Set(Object.keys(rootManifest().scripts ?? {})),
  installable: new Set(packages.filter(({ manifest }) => manifest.private !== true).map(({ name }) => name)),
  packages: new Set(packages.map(({ name }) => name)),
  helpOf: commandHelp,
};

describe("the Markdown pages", () => {
  it.each(pages)("%s names only paths, links and fragments that exist", (path) => {
    expect(linkProblems(path, readMarkdown(readSource(path)))).toEqual([]);
  });

  it.each(pages)("%s shows only commands that exist", (path) => {
    expect(shellProblems(path, readMarkdown(readSource(path)).shellLines, known)).toEqual([]);
  });

  it("are there for every package", () => {
    expect(packages.filter(({ folder }) => !pages.includes(`${folder}/README.md`)).map(({ folder }) => folder)).toEqual(
      [],
    );
  });
});

describe("the check of links", () => {
  const problems = (text: string, path = "docs/page.md") => linkProblems(path, readMarkdown(text));

  it("finds a dead link, a dead fragment and a dead path, each with its line", () => {
    const text = [
      "# Title of `this` page",
      "[gone](./gone.md) [lost](#nowhere) [here](#title-of-this-page) [root](../README.md)",
      "`packages/protocol/src/json.ts` and `packages/protocol/src/gone.ts`",
    ].join("\n");
    const found = problems(text, "packages/page.md").filter((problem) => !problem.includes("README"));
    expect(found.map((problem) => problem.split(",")[0])).toEqual([
      "packages/page.md:2 links to ./gone.md",
      "packages/page.md:2 links to #nowhere",
      "packages/page.md:3 names `packages/protocol/src/gone.ts`",
    ]);
  });

  it("reads a package's own paths from the package's folder", () => {
    expect(problems("`src/index.ts` `src/gone.ts`", "packages/protocol/README.md")).toHaveLength(1);
  });

  it("leaves fences, placeholders, built files, other sites and words with a slash alone", () => {
    const text =
      "`packages/<name>/src` `packages/*/src` `docs/dist/a.js` `and/or` `tool/failed` [x](https://example.com/a#b)\n```md\n[gone](./gone.md)\n```\n";
    expect(problems(text)).toEqual([]);
  });
});

describe("the check of commands", () => {
  const helps: Record<string, string> = {
    "": "USAGE\n  artificer run\nCOMMANDS\n  run     Runs cells\n  skills  Keeps skills\n",
    run: "USAGE\n  artificer run [--json] [-c code] <file>\n",
    skills: "USAGE\n  artificer skills list\nCOMMANDS\n  list  Lists\n",
    "skills list": "FLAGS\n  --json\n",
  };
  const example = {
    scripts: new Set(["test", "demo"]),
    installable: new Set(["artificer"]),
    packages: new Set(["@artificer/runtime"]),
    helpOf: (words: readonly string[]) => helps[words.join(" ")],
  };
  const problems = (text: string) =>
    shellProblems("page.md", readMarkdown(`\`\`\`sh\n${text}\n\`\`\`\n`).shellLines, example);

  it("accepts what exists", () => {
    const text = [
      "npm test && npm run demo  # then look",
      "$ npx artificer run - --json <<< '1 + 1'",
      'artificer run -c "x = 1; x --bare" --json | head',
      "artificer skills list --json",
      "pnpm --filter @artificer/runtime build",
      "npm install artificer zod",
      "artificer --help",
      "cat notes.md",
    ].join("\n");
    expect(problems(text)).toEqual([]);
  });

  it.each([
    ["npm run dance", "dance"],
    ["npm demo", "npm run demo"],
    ["pnpm dance", "dance"],
    ["pnpm --filter @artificer/gone build", "@artificer/gone"],
    ["npm install @artificer/checks", "isn't published"],
    ["artificer dance", "lists no such command"],
    ["npx artificer skills dance", "lists no such command"],
    ["artificer run main.py --jsonl", "--jsonl"],
    ["artificer skills list --json && artificer gone", "artificer gone"],
  ])("refuses `%s`", (command, names) => {
    expect(problems(command)).toEqual([expect.stringContaining(names)]);
  });
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadCliToolkits, starterDefinitions } from "../../src/cli/index.js";
import { contextOf, folderWith, refusalOf } from "./fixture.js";

/** The problem that one definition has. */
async function problemOf(text: string) {
  const folder = await folderWith({ "bad.yaml": text, "good.yml": "name: good\n" });
  const { toolkits, problems } = await loadCliToolkits(folder);
  expect(toolkits.map(({ name }) => name)).toEqual(["good"]);
  expect(problems.map(({ source }) => source)).toEqual([join(folder, "bad.yaml")]);
  const error = problems[0]!.error;
  expect(error.message).toContain(join(folder, "bad.yaml"));
  return error;
}

describe("definitions in a folder", () => {
  it("are read from *.yaml and *.yml in order of their names; other files are left alone [P2]", async () => {
    const folder = await folderWith({
      "b.yml": "name: second",
      "a.yaml": "name: first",
      "notes.txt": "x",
      ".c.yaml": "{",
    });
    const { toolkits, problems } = await loadCliToolkits(folder);
    expect(toolkits.map(({ name }) => name)).toEqual(["first", "second"]);
    expect(problems).toEqual([]);
  });

  it("that are missing altogether are a problem that names the folder", async () => {
    const { toolkits, problems } = await loadCliToolkits("/no/such/folder");
    expect(toolkits).toEqual([]);
    expect(problems[0]?.error).toMatchObject({ code: "config/unreadable" });
    expect(problems[0]?.error.message).toContain("/no/such/folder");
  });

  it("of the same name are refused in the later file, naming the earlier [P2]", async () => {
    const folder = await folderWith({ "a.yaml": "name: same", "b.yaml": "name: same" });
    const { toolkits, problems } = await loadCliToolkits(folder);
    expect(toolkits).toHaveLength(1);
    expect(problems[0]?.error.code).toBe("tool/duplicate");
    expect(problems[0]?.error.message).toContain("a.yaml");
  });

  it("may leave a parameter empty, which means the same as an empty mapping [P2]", async () => {
    const text =
      "name: t\nschema: { positional: [{ name: url }] }\nrecipes:\n  get:\n    params:\n      url:\n  bare:\n";
    const { toolkits, problems } = await loadCliToolkits(await folderWith({ "t.yaml": text }));
    expect(problems).toEqual([]);
    expect(toolkits[0]?.tools.map(({ name }) => name)).toEqual(["get", "bare", "run"]);
  });
});

describe("a broken definition never holds up the others, and says where it is broken", () => {
  it("for text that is no YAML: file, line and column [P2]", async () => {
    const error = await problemOf("name: x\nschema:\n  options: [unclosed\n");
    expect(error.code).toBe("tool/definition-invalid");
    expect(error.details).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
    expect(error.details.line).toBeGreaterThanOrEqual(3);
  });

  it("for an unknown key: its line, the nearest key and all that are allowed [P2]", async () => {
    const error = await problemOf("name: x\nschema:\n  options:\n    v:\n      shrot: v\n");
    expect(error.details).toMatchObject({ line: 5, column: 7, field: "schema.options.v.shrot", nearest: ["short"] });
    expect(error.details.allowed).toContain("description");
    expect((await problemOf("name: x\ntimeuot: 3\n")).details).toMatchObject({ line: 2, nearest: ["timeout"] });
    const params =
      "name: x\nschema: { options: { a: {} } }\nrecipes:\n  r:\n    params:\n      a:\n        requierd: true\n";
    expect((await problemOf(params)).details).toMatchObject({ line: 7, nearest: ["required"] });
  });

  it("for a value of the wrong kind: the field and what is allowed", async () => {
    const error = await problemOf("name: x\nschema:\n  positional:\n    - name: a\n      type: str\n");
    expect(error.details).toMatchObject({ line: 5, field: "schema.positional[0].type" });
    expect(error.details.allowed).toContain("string");
    expect((await problemOf("name: x\ntimeout: soon\n")).details).toMatchObject({ line: 2, field: "timeout" });
    expect((await problemOf("description: nameless\n")).details.field).toBe("name");
    expect((await problemOf("- a\n- b\n")).message).toContain("mapping");
    expect((await problemOf("")).message).toContain("mapping");
    expect((await problemOf("name: x\ntype: mcp\n")).details).toMatchObject({ field: "type", allowed: ["cli"] });
  });

  it("for a recipe that names an argument the program doesn't have: the nearest and all it has", async () => {
    const text =
      "name: x\nschema: { options: { silent: { type: boolean } } }\nrecipes:\n  r:\n    preset:\n      slient: true\n";
    const error = await problemOf(text);
    expect(error.details).toMatchObject({
      line: 6,
      field: "recipes.r.preset.slient",
      nearest: ["silent"],
      allowed: ["silent"],
    });
  });

  it("for presets and defaults that don't fit their argument", async () => {
    const schema = "name: x\nschema:\n  options:\n    n: { type: integer }\n    m: { enum: [fast, slow] }\n";
    expect((await problemOf(`${schema}recipes: { r: { preset: { n: many } } }\n`)).details.field).toBe(
      "recipes.r.preset.n",
    );
    expect((await problemOf(`${schema}recipes: { r: { params: { m: { default: mid } } } }\n`)).details.allowed).toEqual(
      ["fast", "slow"],
    );
    expect(
      (await problemOf("name: x\nschema: { options: { n: { type: integer, default: a } } }\n")).details.field,
    ).toBe("schema.options.n.default");
  });

  it("for a recipe that could never be called", async () => {
    const error = await problemOf(
      "name: x\nschema: { positional: [{ name: url }], options: { v: {} } }\nrecipes:\n  r: { params: { v: {} } }\n",
    );
    expect(error.message).toContain("url");
    expect(error.hint).toContain("params");
  });

  it("for arguments that can't be told apart or put in order", async () => {
    expect((await problemOf("name: x\nschema: { options: { a: {} }, positional: [{ name: a }] }\n")).message).toContain(
      '"a"',
    );
    expect(
      (await problemOf("name: x\nschema: { positional: [{ name: a, type: array }, { name: b }] }\n")).details.field,
    ).toBe("schema.positional[0].type");
    expect(
      (await problemOf("name: x\nschema: { positional: [{ name: a, required: false }, { name: b }] }\n")).details.field,
    ).toBe("schema.positional[1]");
    expect((await problemOf("name: x\nrecipes: { run: {} }\n")).hint).toContain("escapeHatch");
  });

  it("for variables that are not expanded, saying how a variable of the host is passed on", async () => {
    const error = await problemOf("name: x\nenv:\n  TOKEN: \u0024{GITHUB_TOKEN}\n");
    expect(error.details).toMatchObject({ line: 3, field: "env.TOKEN" });
    expect(error.hint).toContain("passEnv: [GITHUB_TOKEN]");
  });

  it("for aliases that would grow without end", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `  - &l${at + 1} [${Array.from({ length: 9 }, () => `*l${at}`).join(", ")}]`,
    );
    const error = await problemOf(`name: x\ntags:\n  - &l0 [x]\n${levels.join("\n")}\n`);
    expect(error.code).toBe("tool/definition-invalid");
  });

  it("for a file that is no text", async () => {
    const folder = await folderWith({});
    const { writeFile } = await import("node:fs/promises");
    await writeFile(join(folder, "bad.yaml"), new Uint8Array([0xff, 0xfe, 0x00]));
    expect((await loadCliToolkits(folder)).problems[0]?.error.message).toContain("UTF-8");
  });
});

describe("the starter definitions", () => {
  async function starters() {
    const { toolkits, problems } = await loadCliToolkits(await folderWith(await starterDefinitions()));
    expect(problems).toEqual([]);
    return new Map(toolkits.map((toolkit) => [toolkit.name, toolkit]));
  }

  it("are all without a problem", async () => {
    expect([...(await starters()).keys()]).toEqual(["curl", "git", "grep", "jq"]);
  });

  it("fetch a page of a real server with curl.get(url) [P2] [P3]", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/missing") response.statusCode = 404;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ path: request.url, accept: request.headers.accept }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const curl = (await starters()).get("curl")!;
    expect(await curl.call("get", { url: `${url}/a?b=1` }, contextOf())).toBe('{"path":"/a?b=1","accept":"*/*"}');
    expect(await curl.call("get_json", { url: `${url}/j` }, contextOf())).toEqual({
      path: "/j",
      accept: "application/json",
    });
    const error = await refusalOf(curl.call("get", { url: `${url}/missing` }, contextOf()));
    expect(error.details).toMatchObject({ exitCode: 22 });
    expect(error.message).toContain("404");
  });

  it("find lines with grep.search, and none without an error", async () => {
    const folder = await folderWith({ "a.txt": "one\n-two\n" });
    const grep = (await starters()).get("grep")!;
    expect(await grep.call("search", { pattern: "-two", path: [folder] }, contextOf())).toEqual([
      `${folder}/a.txt:2:-two`,
    ]);
    expect(await grep.call("search", { pattern: "three", path: [folder] }, contextOf())).toEqual([]);
  });
});

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HttpToolkit } from "../../src/http/index.js";
import { callContext, json, localServer, openLocal } from "./local-server.js";

const require = createRequire(import.meta.url);
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
const open = async (fields: Parameters<typeof openLocal>[0], options: Parameters<typeof openLocal>[1] = {}) => {
  const toolkit = await openLocal(fields, options);
  cleanups.push(() => toolkit.close());
  return toolkit;
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "artificer-http-"));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
});
const write = async (name: string, content: unknown) => {
  await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return join(folder, name);
};
const document = (rest: object) => ({ openapi: "3.1.0", info: { title: "T", version: "1" }, ...rest });
const tool = (toolkit: HttpToolkit, name: string) => toolkit.tools.find((candidate) => candidate.name === name)!;

describe("published documents", () => {
  it.each([
    ["ShipEngine, 8 MB", "shipengine-openapi/openapi.json", 76, "list_labels"],
    ["Rclone", "rclone-openapi/openapi.json", 101, "configCreate"],
    ["Train Travel", "@readme/oas-examples/3.1/json/train-travel.json", 7, "get-stations"],
    ["USPTO, in YAML", "@readme/oas-examples/3.0/yaml/uspto.yaml", 3, "perform-search"],
    ["Petstore", "@readme/oas-examples/3.1/json/petstore.json", 20, "addPet"],
    ["Star Trek, in YAML", "@readme/oas-examples/3.0/yaml/star-trek.yaml", 120, undefined],
    ["a document full of circles", "@readme/oas-examples/3.0/json/schema-circular.json", 3, undefined],
  ])("[P2] load whole, and every schema of theirs compiles: %s", async (_, path, count, name) => {
    const toolkit = await open({ openapi: require.resolve(path), baseUrl: "https://api.example" });
    expect(toolkit.tools).toHaveLength(count);
    expect(new Set(toolkit.tools.map((each) => each.name)).size).toBe(count);
    if (name !== undefined) expect(tool(toolkit, name)).toBeDefined();
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    formats.default(ajv);
    for (const { inputSchema, outputSchema } of toolkit.tools) {
      expect(inputSchema.type).toBe("object");
      ajv.compile(inputSchema);
      if (outputSchema !== undefined) ajv.compile(outputSchema);
    }
  });

  it("[P2] give tools by method: what they do, what they take, what they give", async () => {
    const toolkit = await open({
      openapi: require.resolve("@readme/oas-examples/3.0/json/petstore.json"),
      baseUrl: "https://x.example",
    });
    expect(tool(toolkit, "getPetById")).toMatchObject({
      effect: "read",
      inputSchema: { properties: { petId: { type: "integer", format: "int64" } }, required: ["petId"] },
      outputSchema: { $ref: "#/$defs/Pet", $defs: { Pet: { type: "object" }, Category: { type: "object" } } },
      tags: ["pet"],
    });
    expect(tool(toolkit, "deletePet").effect).toBe("destructive");
    expect(tool(toolkit, "addPet")).toMatchObject({ effect: "write", inputSchema: { required: ["body"] } });
  });
});

describe("a document", () => {
  it("[P2] with two thousand operations and schemas that refer to each other in circles opens without copying them", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [
        `Node${n}`,
        {
          type: "object",
          properties: {
            next: { $ref: `#/components/schemas/Node${(n + 1) % 500}` },
            self: { $ref: `#/components/schemas/Node${n}` },
          },
        },
      ]),
    );
    const ref = (n: number) => ({ $ref: `#/components/schemas/Node${n % 500}` });
    const paths = Object.fromEntries(
      Array.from({ length: 2000 }, (_, n) => [
        `/things/${n}/{id}`,
        {
          post: {
            operationId: `op${n}`,
            requestBody: { content: { "application/json": { schema: ref(n) } } },
            responses: { 200: { description: "", content: { "application/json": { schema: ref(n + 1) } } } },
          },
        },
      ]),
    );
    const path = await write("big.json", document({ paths, components: { schemas } }));
    const toolkit = await open({ openapi: path, baseUrl: "https://x.example" });
    expect(toolkit.tools).toHaveLength(2000);
    const [first, second] = toolkit.tools.map((each) => each.inputSchema.$defs as Record<string, unknown>);
    expect(Object.keys(first!)).toHaveLength(500);
    expect(first!.Node7).toBe(second!.Node7);
  });

  it("[P2] in several files is drawn together, from its own folder only", async () => {
    await mkdir(join(folder, "api"));
    await write("api/pet.yaml", "type: object\nproperties:\n  name: { type: string }\n  friend: { $ref: '#' }\n");
    await write("outside.yaml", "type: object\n");
    const paths = (ref: string) => ({
      "/pets": {
        get: {
          operationId: "pets",
          responses: { 200: { description: "", content: { "application/json": { schema: { $ref: ref } } } } },
        },
      },
    });
    const good = await write("api/good.json", document({ paths: paths("./pet.yaml") }));
    const toolkit = await open({ openapi: good, baseUrl: "https://x.example" });
    const text = JSON.stringify(toolkit.tools[0]?.outputSchema);
    expect(text).toContain('"name":{"type":"string"}');
    expect(text).not.toContain("pet.yaml");
    for (const ref of ["../outside.yaml", "/etc/hosts", "http://127.0.0.1:9/x.yaml"]) {
      const bad = await write("api/bad.json", document({ paths: paths(ref) }));
      await expect(open({ openapi: bad, baseUrl: "https://x.example" })).rejects.toMatchObject({
        code: "tool/definition-invalid",
        message: expect.stringContaining("may not be read"),
      });
    }
  });

  it("[P2] from an address is fetched under the same policy, its servers relative to it", async () => {
    const server = await localServer((seen, response) => {
      if (seen.url === "/v2/openapi.json") {
        const paths = { "/ping": { get: { operationId: "ping" } } };
        return json(
          response,
          document({ servers: [{ url: "{where}", variables: { where: { default: "./api" } } }], paths }),
        );
      }
      json(response, { pong: seen.url });
    });
    cleanups.push(server.close);
    const openapi = `${server.url}/v2/openapi.json`;
    const toolkit = await open({ openapi });
    expect(await toolkit.call("ping", {}, callContext())).toEqual({ pong: "/v2/api/ping" });
    await expect(openLocal({ openapi }, { allow: [] })).rejects.toMatchObject({ code: "tool/denied" });
    await expect(
      openLocal({ openapi: `${server.url}/v2/openapi.json`, serverVariables: { where: "ftp://x" } }),
    ).rejects.toMatchObject({
      code: "tool/definition-invalid",
    });
  });

  it.each([
    ["{not json", /neither JSON nor YAML/],
    ["- a\n- b\n", /is an object/],
    ['swagger: "2.0"\npaths: {}\n', /Swagger 2.0/],
    ["openapi: 4.0.0\npaths: {}\n", /4.0.0 is not understood/],
    ["info: {title: x}\n", /openapi:/],
    ["openapi: 3.0.0\npaths: []\n", /paths/],
    ["openapi: 3.0.0\npaths: {/a: {get: 5}}\n", /GET \/a: get should be an object/],
    ["openapi: 3.0.0\npaths: {/a: {get: {parameters: [{in: query}]}}}\n", /GET \/a: .*lacks its name/],
    [
      "openapi: 3.0.0\npaths: {/a: {get: {parameters: [{$ref: '#/nowhere'}]}}}\n",
      /GET \/a: .*#\/nowhere points nowhere/,
    ],
    ["openapi: 3.0.0\npaths: {/a: {$ref: '#/paths/~1a'}}\n", /points to itself/],
    [
      "openapi: 3.0.0\npaths: {/a: {get: {parameters: [{name: q, in: query, schema: {$ref: '#/__proto__'}}]}}}\n",
      /points nowhere/,
    ],
  ])("[P2] that is wrong is refused, naming what: %j", async (text, message) => {
    const path = await write("bad.yaml", text);
    await expect(open({ openapi: path, baseUrl: "https://x.example" })).rejects.toMatchObject({
      code: "tool/definition-invalid",
      message: expect.stringMatching(message),
    });
  });

  it("[P2] that does not say where the API is needs a baseUrl, and a missing file is named", async () => {
    const path = await write("bare.json", document({ paths: { "/a": { get: {} } } }));
    await expect(open({ openapi: path })).rejects.toMatchObject({
      message: expect.stringContaining("where the API is"),
    });
    await expect(open({ openapi: join(folder, "none.json") })).rejects.toMatchObject({
      code: "tool/definition-invalid",
      message: expect.stringContaining("none.json can't be read"),
    });
  });

  it("[P2] that is broken in one operation is read without it, when the definition leaves it out", async () => {
    const paths = {
      "/good": { get: { operationId: "good" } },
      "/bad": { get: { operationId: "bad", parameters: [5] } },
    };
    const openapi = await write("partly.json", document({ paths }));
    await expect(open({ openapi, baseUrl: "https://x.example" })).rejects.toMatchObject({
      message: expect.stringContaining("GET /bad"),
      hint: expect.stringContaining("tools.exclude"),
    });
    const toolkit = await open({ openapi, baseUrl: "https://x.example", tools: { exclude: ["bad"] } });
    expect(toolkit.tools.map(({ name }) => name)).toEqual(["good"]);
  });

  it("[P2] has its schemas put into today's JSON Schema", async () => {
    const schema = {
      type: "object",
      required: ["id", "name"],
      properties: {
        id: { type: "integer", readOnly: true },
        name: { type: "string", nullable: true, enum: ["a"], example: "a", xml: { name: "n" } },
        size: { type: "number", minimum: 0, exclusiveMinimum: true },
        file: { type: "string", format: "binary" },
      },
      "x-internal": true,
    };
    const paths = {
      "/a": {
        post: { operationId: "a", requestBody: { required: true, content: { "application/json": { schema } } } },
      },
    };
    const path = await write("old.json", { ...document({ paths }), openapi: "3.0.3" });
    const toolkit = await open({ openapi: path, baseUrl: "https://x.example" });
    expect(toolkit.tools[0]?.inputSchema).toEqual({
      type: "object",
      properties: {
        body: {
          type: "object",
          required: ["name"],
          properties: {
            id: { type: "integer", readOnly: true },
            name: { type: ["string", "null"], enum: ["a", null] },
            size: { type: "number", exclusiveMinimum: 0 },
            file: { format: "binary" },
          },
        },
      },
      required: ["body"],
      additionalProperties: false,
    });
  });

  it("[P2] names its tools uniquely, and arguments of one name apart", async () => {
    const parameters = [
      { name: "id", in: "query", schema: { type: "string" } },
      { name: "id", in: "header", schema: { type: "string" } },
      { name: "body", in: "query", schema: { type: "string" } },
      { name: "Authorization", in: "header", schema: { type: "string" } },
    ];
    const paths = {
      "/a/{id}": { post: { operationId: "same", parameters, requestBody: { content: { "text/plain": {} } } } },
      "/b/{id}/c": { get: {}, put: { operationId: "same" } },
    };
    const toolkit = await open({
      openapi: await write("names.json", document({ paths })),
      baseUrl: "https://x.example",
    });
    expect(toolkit.tools.map(({ name }) => name)).toEqual(["same", "get_b_by_id_c", "same_2"]);
    const names = Object.keys(toolkit.tools[0]!.inputSchema.properties as object);
    expect(names).toEqual(["id", "id_header", "body", "id_path", "body_request"]);
  });

  it("[P2] can be narrowed to some of its tools, and reclassed", async () => {
    const openapi = require.resolve("@readme/oas-examples/3.0/json/petstore.json");
    const tools = { include: ["*Pet*"], exclude: ["delete*"] };
    const toolkit = await open({ openapi, baseUrl: "https://x.example", tools, effects: { updatePet: "destructive" } });
    expect(toolkit.tools.map(({ name }) => name)).not.toContain("deletePet");
    expect(toolkit.tools.every(({ name }) => name.includes("Pet"))).toBe(true);
    expect(tool(toolkit, "updatePet").effect).toBe("destructive");
    await expect(toolkit.call("deletePet", { petId: 1 }, callContext())).rejects.toMatchObject({
      code: "tool/unknown-tool",
    });
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { HttpDefinitionInput } from "../../src/http/index.js";
import { callContext, json, localServer, openLocal, type Seen } from "./local-server.js";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Calls the one operation of a document, and gives what the server got. */
async function sent(
  operation: { path?: string; parameters?: object[]; requestBody?: object },
  args: Record<string, unknown>,
  fields: Partial<HttpDefinitionInput> = {},
): Promise<Seen> {
  const { path = "/p", ...rest } = operation;
  const server = await localServer();
  const folder = await mkdtemp(join(tmpdir(), "artificer-encodings-"));
  cleanups.push(server.close, () => rm(folder, { recursive: true, force: true }));
  const openapi = join(folder, "api.json");
  const paths = { [path]: { post: { operationId: "call", ...rest } } };
  await writeFile(openapi, JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths }));
  const resolveSecret = () => "tok/secret 1";
  const toolkit = await openLocal({ openapi, baseUrl: server.url, ...fields }, { resolveSecret });
  cleanups.push(() => toolkit.close());
  await toolkit.call("call", args, callContext());
  return server.seen[0]!;
}

const list = ["blue", "black"];
const color = { R: 100, G: 200 };
const parameter = (where: string, rest: object = {}) => ({ parameters: [{ name: "c", in: where, ...rest }] });
const style = (name: string, explode?: boolean) => ({ style: name, ...(explode === undefined ? {} : { explode }) });

// The examples are those of the specification's table of styles.
describe("parameters that a document describes", () => {
  it.each([
    [{}, "blue", "/p?c=blue"],
    [{}, list, "/p?c=blue&c=black"],
    [{}, color, "/p?R=100&G=200"],
    [style("form", false), list, "/p?c=blue,black"],
    [style("form", false), color, "/p?c=R,100,G,200"],
    [style("spaceDelimited", false), list, "/p?c=blue%20black"],
    [style("spaceDelimited", false), color, "/p?c=R%20100%20G%20200"],
    [style("pipeDelimited", false), list, "/p?c=blue%7Cblack"],
    [style("pipeDelimited", false), color, "/p?c=R%7C100%7CG%7C200"],
    [style("spaceDelimited"), list, "/p?c=blue%20black"],
    [style("pipeDelimited", true), list, "/p?c=blue&c=black"],
    [style("deepObject", true), color, "/p?c%5BR%5D=100&c%5BG%5D=200"],
    [style("deepObject"), color, "/p?c%5BR%5D=100&c%5BG%5D=200"],
    [{ content: { "application/json": {} } }, color, "/p?c=%7B%22R%22%3A100%2C%22G%22%3A200%7D"],
    [{ allowReserved: true }, "a/b?c:d@e&f=g#h", "/p?c=a/b?c:d@e%26f%3Dg%23h"],
    [style("form", false), {}, "/p"],
  ])("[P2] go into the query: %j %j", async (given, value, url) => {
    expect((await sent(parameter("query", given), { c: value })).url).toBe(url);
  });

  it.each([
    [{}, "blue", "/p/blue"],
    [{}, list, "/p/blue,black"],
    [{}, color, "/p/R,100,G,200"],
    [style("simple", true), color, "/p/R=100,G=200"],
    [style("label"), "blue", "/p/.blue"],
    [style("label"), list, "/p/.blue,black"],
    [style("label", true), list, "/p/.blue.black"],
    [style("label"), color, "/p/.R,100,G,200"],
    [style("label", true), color, "/p/.R=100.G=200"],
    [style("matrix"), "blue", "/p/;c=blue"],
    [style("matrix"), list, "/p/;c=blue,black"],
    [style("matrix", true), list, "/p/;c=blue;c=black"],
    [style("matrix"), color, "/p/;c=R,100,G,200"],
    [style("matrix", true), color, "/p/;R=100;G=200"],
    [{ content: { "application/json": {} } }, list, "/p/%5B%22blue%22%2C%22black%22%5D"],
  ])("[P2] go into the path: %j %j", async (given, value, url) => {
    const operation = { path: "/p/{c}", ...parameter("path", { required: true, ...given }) };
    expect((await sent(operation, { c: value })).url).toBe(url);
  });

  it.each([
    [{}, "blue", "blue"],
    [{}, list, "blue,black"],
    [{}, color, "R,100,G,200"],
    [style("simple", true), color, "R=100,G=200"],
    [{ content: { "application/json": {} } }, color, '{"R":100,"G":200}'],
  ])("[P2] go into headers: %j %j", async (given, value, text) => {
    expect((await sent(parameter("header", given), { c: value })).headers.c).toBe(text);
  });

  it.each([
    [{}, "dark;x", "c=dark%3Bx"],
    [style("form", false), list, "c=blue,black"],
    [style("form", false), color, "c=R,100,G,200"],
    [{ content: { "application/json": {} } }, color, "c=%7B%22R%22%3A100%2C%22G%22%3A200%7D"],
  ])("[P2] go into cookies: %j %j", async (given, value, text) => {
    expect((await sent(parameter("cookie", given), { c: value })).headers.cookie).toBe(text);
  });

  it("[P2] keep their style beside a key in the query, which stands once and is encoded", async () => {
    const parameters = [
      { name: "list", in: "query", explode: false },
      { name: "place", in: "query", allowReserved: true },
      { name: "key", in: "query" },
    ];
    const auth = { type: "api-key" as const, in: "query" as const, name: "key", secret: "TOKEN" };
    const seen = await sent({ parameters }, { list: ["a b", "c,d"], place: "x/y:z", key: "mine" }, { auth });
    expect(seen.url).toBe("/p?list=a%20b,c%2Cd&place=x/y:z&key=tok%2Fsecret%201");
  });

  it("[P2] stand in cookies beside a key", async () => {
    const auth = { type: "api-key" as const, in: "cookie" as const, name: "sid", secret: "TOKEN" };
    expect((await sent(parameter("cookie"), { c: "x" }, { auth })).headers.cookie).toBe("c=x; sid=tok%2Fsecret%201");
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("[P2] that are no numbers of JSON are refused: %d", async (value) => {
    const refused = { code: "tool/invalid-argument", message: expect.stringContaining("no such number") };
    await expect(sent(parameter("query"), { c: value })).rejects.toMatchObject(refused);
    const requestBody = { content: { "application/json": {} } };
    await expect(sent({ requestBody }, { body: { deep: [value] } })).rejects.toMatchObject(refused);
  });
});

describe("bodies that a document describes", () => {
  it("[P2] are forms whose members are written as their encoding says", async () => {
    const encoding = { list: { style: "form", explode: false }, data: { contentType: "application/json" } };
    const requestBody = { content: { "application/x-www-form-urlencoded": { encoding } } };
    const seen = await sent({ requestBody }, { body: { list, data: { a: 1 }, plain: "x&y" } });
    expect(seen.body.toString()).toBe("list=blue,black&data=%7B%22a%22%3A1%7D&plain=x%26y");
  });

  it("[P2] are parts whose types their encoding says", async () => {
    const encoding = { image: { contentType: "image/png" } };
    const requestBody = { content: { "multipart/form-data": { encoding } } };
    const seen = await sent({ requestBody }, { body: { image: new Uint8Array([137, 80, 0, 255]), note: "n" } });
    const form = await new Response(new Uint8Array(seen.body), {
      headers: { "content-type": seen.headers["content-type"]! },
    }).formData();
    const image = form.get("image") as File;
    expect([image.type, ...new Uint8Array(await image.arrayBuffer())]).toEqual(["image/png", 137, 80, 0, 255]);
    expect(form.get("note")).toBe("n");
  });

  it("[P2] are bytes, sent and got back to the last one", async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256);
    const server = await localServer(({ body }, response) =>
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(body),
    );
    const endpoints = [{ name: "echo", method: "POST" as const, path: "/", body: { type: "binary" as const } }];
    const toolkit = await openLocal({ baseUrl: server.url, endpoints });
    cleanups.push(server.close, () => toolkit.close());
    expect(await toolkit.call("echo", { body: bytes }, callContext())).toEqual({
      mimeType: "application/octet-stream",
      data: bytes,
    });
  });
});

describe("bounds", () => {
  it("[P2] are an endpoint's own time, before that of the API", async () => {
    const server = await localServer(() => {});
    const endpoints = [{ name: "slow", path: "/", timeoutMs: 150 }];
    const toolkit = await openLocal({ baseUrl: server.url, endpoints, timeoutMs: 60_000 });
    cleanups.push(server.close, () => toolkit.close());
    await expect(toolkit.call("slow", {}, callContext())).rejects.toMatchObject({
      code: "tool/timed-out",
      details: { timeoutMs: 150 },
    });
  });

  it("[P2] are those of one answer for a whole walk of a list", async () => {
    const server = await localServer((seen, response) =>
      json(response, {
        data: ["x".repeat(1_000)],
        next: `/rows?n=${Number(new URL(seen.url, "http://x").searchParams.get("n")) + 1}`,
      }),
    );
    const endpoints = [{ name: "rows", path: "/rows" }];
    const paginate = { rows: { by: "url" as const, at: "next", items: "data" } };
    const toolkit = await openLocal({ baseUrl: server.url, endpoints, paginate, maxResponseBytes: 5_000 });
    cleanups.push(server.close, () => toolkit.close());
    const walked = await toolkit.call("rows_all", { max_pages: 1_000 }, callContext());
    expect(walked).toMatchObject({ pages: 5, complete: false });
    expect((walked as { items: unknown[] }).items).toHaveLength(5);
  });
});

import { gzipSync } from "node:zlib";
import { encodeValue } from "@artificer/protocol";
import { afterEach, describe, expect, it } from "vitest";
import type { HttpEndpoint } from "../../src/http/http-definition.js";
import { callContext, json, type LocalServer, localServer, openLocal } from "./local-server.js";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
const serve = async (answer?: Parameters<typeof localServer>[0]): Promise<LocalServer> => {
  const server = await localServer(answer);
  cleanups.push(server.close);
  return server;
};
type Fields = Parameters<typeof openLocal>[0];
const open = async (fields: Fields, options: Parameters<typeof openLocal>[1] = {}) => {
  const toolkit = await openLocal(fields, options);
  cleanups.push(() => toolkit.close());
  return toolkit;
};
type Endpoint = NonNullable<Fields["endpoints"]>[number];
/** Calls one endpoint and gives what the server got. */
const requested = async (endpoint: Partial<Endpoint>, args: Record<string, unknown>, fields: Fields = {}) => {
  const server = await serve();
  const endpoints = [{ name: "call", path: "/p", ...endpoint } as Endpoint];
  const toolkit = await open({ baseUrl: server.url, endpoints, ...fields });
  await toolkit.call("call", args, callContext());
  return server.seen[0]!;
};
const style = (given: Partial<HttpEndpoint["parameters"][string]>) => ({ parameters: { v: given } });

describe("parameters", () => {
  it.each([
    [{}, "a b&c=d/é", "/p?v=a%20b%26c%3Dd%2F%C3%A9"],
    [{}, ["a", "b,c"], "/p?v=a&v=b%2Cc"],
    [{ explode: false }, ["a", "b,c"], "/p?v=a,b%2Cc"],
    [{ style: "spaceDelimited", explode: false }, ["a", "b"], "/p?v=a%20b"],
    [{ style: "pipeDelimited", explode: false }, ["a", "b"], "/p?v=a%7Cb"],
    [{ style: "deepObject", explode: true }, { a: 1, b: { c: [true] } }, "/p?v%5Ba%5D=1&v%5Bb%5D%5Bc%5D%5B0%5D=true"],
    [{}, { a: 1, b: "x" }, "/p?a=1&b=x"],
    [{ explode: false }, { a: 1, b: "x" }, "/p?v=a,1,b,x"],
    [{ allowReserved: true }, "a/b:c?&d", "/p?v=a/b:c?%26d"],
    [{}, new Date(0), "/p?v=1970-01-01T00%3A00%3A00.000Z"],
    [{}, [], "/p"],
    [{}, null, "/p"],
  ] as const)("[P2] go into the query by style: %j %j", async (given, value, url) => {
    expect((await requested(style(given), { v: value })).url).toBe(url);
  });

  it.each([
    [{}, "a/b c", "/p/a%2Fb%20c/x"],
    [{}, ["a", "b"], "/p/a,b/x"],
    [{ explode: true }, { a: 1, b: 2 }, "/p/a=1,b=2/x"],
    [{}, { a: 1, b: 2 }, "/p/a,1,b,2/x"],
    [{ style: "label" }, ["a", "b"], "/p/.a,b/x"],
    [{ style: "label", explode: true }, ["a", "b"], "/p/.a.b/x"],
    [{ style: "matrix" }, ["a", "b"], "/p/;v=a,b/x"],
    [{ style: "matrix", explode: true }, ["a", "b"], "/p/;v=a;v=b/x"],
  ] as const)("[P2] go into the path by style: %j %j", async (given, value, url) => {
    expect((await requested({ path: "/p/{v}/x", ...style(given) }, { v: value })).url).toBe(url);
  });

  it.each(["", ".", "..", "%2e%2e"])("[P2] can't change which path is meant: %j", async (value) => {
    const call = requested({ path: "/users/{v}" }, { v: value });
    if (value === "%2e%2e") expect((await call).url).toBe("/users/%252e%252e");
    else await expect(call).rejects.toMatchObject({ code: "tool/invalid-argument", details: { argument: "v" } });
  });

  it("[P2] can't lead out of the path side by side, nor through reserved characters", async () => {
    await expect(
      requested({ path: "/users/{a}{b}/x", parameters: { a: {}, b: {} } }, { a: ".", b: "." }),
    ).rejects.toMatchObject({
      code: "tool/invalid-argument",
    });
    const seen = await requested({ path: "/users/{v}", parameters: { v: { allowReserved: true } } }, { v: "a/../b" });
    expect(seen.url).toBe("/users/a%2F..%2Fb");
  });

  it("[P2] named like an object's own machinery are sent only when given", async () => {
    const parameters = { constructor: {}, toString: {} };
    expect((await requested({ parameters }, {})).url).toBe("/p");
    expect((await requested({ parameters }, { constructor: "x" })).url).toBe("/p?constructor=x");
  });

  it("[P2] of the path are needed, whether described or not", async () => {
    await expect(requested({ path: "/users/{v}" }, {})).rejects.toMatchObject({ code: "tool/missing-argument" });
  });

  it("[P2] go into headers and cookies, under the name on the wire", async () => {
    const seen = await requested(
      {
        parameters: {
          trace: { in: "header", as: "X-Trace" },
          ids: { in: "header", as: "X-Ids" },
          theme: { in: "cookie" },
          tags: { in: "cookie", explode: false },
        },
      },
      { trace: "t 1", ids: [1, 2], theme: "dark;x", tags: ["a", "b"] },
    );
    expect(seen.headers).toMatchObject({ "x-trace": "t 1", "x-ids": "1,2", cookie: "theme=dark%3Bx; tags=a,b" });
  });

  it("[P2] that JSON can't hold exactly are refused", async () => {
    await expect(requested(style({}), { v: 2n ** 64n })).rejects.toMatchObject({ code: "tool/invalid-argument" });
  });

  it("[P2] can't smuggle header lines, nor set what is the host's", async () => {
    const header = (as: string) => ({ parameters: { v: { in: "header" as const, as } } });
    await expect(requested(header("X-A"), { v: "a\r\nX-B: c" })).rejects.toMatchObject({
      code: "tool/invalid-argument",
    });
    for (const name of ["Host", "Authorization", "Cookie", "Content-Length"]) {
      await expect(requested(header(name), { v: "x" })).rejects.toMatchObject({ code: "tool/invalid-argument" });
    }
  });

  it("[P2] keep a base address's own path and query", async () => {
    const server = await serve();
    const endpoints = [{ name: "call", path: "/p" }];
    const toolkit = await open({ baseUrl: `${server.url}/v1/?api-version=2`, endpoints: endpoints as Endpoint[] });
    await toolkit.call("call", {}, callContext());
    expect(server.seen[0]?.url).toBe("/v1/p?api-version=2");
  });
});

describe("bodies", () => {
  const body = (type: "json" | "form" | "multipart" | "binary" | "text", rest = {}) => ({
    method: "POST" as const,
    body: { type, ...rest },
  });

  it("[P2] are sent as JSON, codec values in their JSON forms", async () => {
    const seen = await requested(body("json"), {
      body: { a: [1, null], at: new Date(0), raw: new Uint8Array([1]), set: new Set([1]), n: 5n },
    });
    expect(seen.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(seen.body.toString())).toEqual({
      a: [1, null],
      at: "1970-01-01T00:00:00.000Z",
      raw: "AQ==",
      set: [1],
      n: 5,
    });
  });

  it("[P2] are sent as a form, nested members in brackets", async () => {
    const seen = await requested(body("form"), { body: { a: "x y", list: [1, 2], deep: { k: { j: "&" } } } });
    expect(seen.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(seen.body.toString()).toBe("a=x%20y&list=1&list=2&deep%5Bk%5D%5Bj%5D=%26");
  });

  it("[P2] are sent in parts, files as bytes with names", async () => {
    const file = new Uint8Array([0, 255, 10, 13]);
    const seen = await requested(body("multipart"), {
      body: { note: "é", meta: { a: 1 }, one: file, two: [{ data: file, filename: "b.bin", mimeType: "image/png" }] },
    });
    expect(seen.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    const form = await new Response(new Uint8Array(seen.body), {
      headers: { "content-type": seen.headers["content-type"]! },
    }).formData();
    expect(form.get("note")).toBe("é");
    expect(await (form.get("meta") as File).text()).toBe('{"a":1}');
    const two = form.get("two") as File;
    expect([two.name, two.type, [...new Uint8Array(await two.arrayBuffer())]]).toEqual([
      "b.bin",
      "image/png",
      [...file],
    ]);
    expect((form.get("one") as File).name).toBe("one");
  });

  it("[P2] are sent as bytes or text as they are, and refused when they are neither", async () => {
    const bytes = new Uint8Array([0, 1, 254]);
    const seen = await requested(body("binary", { contentType: "image/png" }), { body: bytes });
    expect([seen.headers["content-type"], [...seen.body]]).toEqual(["image/png", [0, 1, 254]]);
    expect((await requested(body("text"), { body: "hé" })).body.toString()).toBe("hé");
    await expect(requested(body("text"), { body: { a: 1 } })).rejects.toMatchObject({ code: "tool/invalid-argument" });
    await expect(requested(body("form"), { body: [1] })).rejects.toMatchObject({ code: "tool/invalid-argument" });
  });
});

describe("answers", () => {
  const answered = async (answer: Parameters<typeof localServer>[0], fields: Fields = {}) => {
    const server = await serve(answer);
    const endpoints = [{ name: "call", path: "/p" } as Endpoint];
    const toolkit = await open({ baseUrl: server.url, endpoints, ...fields });
    return toolkit.call("call", {}, callContext());
  };

  it("[P2] are values by their content type", async () => {
    const typed = (type: string | undefined, content: string | Buffer) =>
      answered((_, response) =>
        response.writeHead(200, type === undefined ? {} : { "content-type": type }).end(content),
      );
    expect(await typed("application/problem+json; charset=utf-8", '{"a":[1]}')).toEqual({ a: [1] });
    expect(await typed("text/csv; charset=iso-8859-1", Buffer.from([0x61, 0xe9]))).toBe("aé");
    expect(await typed("image/png", Buffer.from([0x89, 0]))).toEqual({
      mimeType: "image/png",
      data: new Uint8Array([0x89, 0]),
    });
    expect(await typed(undefined, "plain")).toBe("plain");
    expect(await typed(undefined, Buffer.from([255, 254]))).toEqual({
      mimeType: "application/octet-stream",
      data: new Uint8Array([255, 254]),
    });
    expect(await typed("application/json", "")).toBeNull();
    await expect(typed("application/json", "<html>oops")).rejects.toMatchObject({
      code: "tool/output-unparsable",
      details: { body: "<html>oops" },
    });
  });

  it("[P2] can't pass for the host's own values", async () => {
    const value = await answered((_, response) => json(response, { $type: "reference", id: "x" }));
    expect(JSON.stringify(encodeValue(value).json)).not.toContain('"$":"reference"');
  });

  it("[P2] come with status and headers when that is asked for", async () => {
    const value = await answered((_, response) => response.writeHead(201, { "x-total": "7" }).end("ok"), {
      returns: "response",
    });
    expect(value).toMatchObject({ status: 201, headers: { "x-total": "7" }, body: "ok" });
  });

  it("[P2] over the bound are refused, packed ones as unpacked", async () => {
    const big = Buffer.alloc(200_000, "x");
    const bound = { maxResponseBytes: 100_000 };
    await expect(answered((_, response) => response.end(big), bound)).rejects.toMatchObject({
      code: "tool/result-too-large",
      details: { maxBytes: 100_000 },
    });
    const packed = gzipSync(big);
    await expect(
      answered((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(packed), bound),
    ).rejects.toMatchObject({
      code: "tool/result-too-large",
    });
    expect(
      await answered((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(packed)),
    ).toHaveLength(200_000);
  });

  it("[P2] that refuse are typed errors with status and the beginning of the body", async () => {
    await expect(answered((_, response) => json(response, { error: "no such user" }, 404))).rejects.toMatchObject({
      code: "tool/http-status",
      message: expect.stringMatching(/^GET http.*\/p answered 404 Not Found.*no such user/),
      details: { status: 404, method: "GET", body: '{"error":"no such user"}' },
    });
  });

  it("[P2] that never come are timed out, and given up with the caller", async () => {
    await expect(answered(() => {}, { timeoutMs: 150 })).rejects.toMatchObject({
      code: "tool/timed-out",
      details: { timeoutMs: 150 },
    });
    const server = await serve((_, response) => response.writeHead(200).write("a"));
    const toolkit = await open({ baseUrl: server.url, endpoints: [{ name: "call", path: "/p" } as Endpoint] });
    const controller = new AbortController();
    const call = toolkit.call("call", {}, callContext({ signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    await expect(call).rejects.toMatchObject({ code: "tool/cancelled" });
  });

  it("[P2] that break off are told as such", async () => {
    await expect(answered((_, response) => response.destroy(), { retries: 0 })).rejects.toMatchObject({
      code: "tool/unavailable",
    });
    const half = (_: unknown, response: import("node:http").ServerResponse) => {
      response.writeHead(200, { "content-length": "10" }).write("abc");
      setTimeout(() => response.destroy(), 20);
    };
    await expect(answered(half, { retries: 0 })).rejects.toMatchObject({ code: "tool/unavailable" });
  });
});

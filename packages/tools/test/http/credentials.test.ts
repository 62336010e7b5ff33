import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { HttpAuth } from "../../src/http/http-definition.js";
import type { Resolver } from "../../src/http/index.js";
import { retryAfterMs } from "../../src/http/retry.js";
import { callContext, json, localServer, openLocal } from "./local-server.js";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
const secrets = { resolveSecret: (name: string) => ({ TOKEN: "tok-secret-1", ID: "client-1" })[name] };
type OAuth = Extract<HttpAuth, { type: "oauth2-client-credentials" }>;

/** An API whose tokens come from beside it, each good for so many seconds; `refuse` names those it takes no more. */
async function guarded(fields: Partial<OAuth> = {}, lifeSeconds: number | string = 3600) {
  const issued: string[] = [];
  const refuse = new Set<string>();
  const server = await localServer((seen, response) => {
    if (seen.url === "/token") {
      issued.push(`access-token-${issued.length + 1}`);
      return json(response, { access_token: issued.at(-1), expires_in: lifeSeconds, token_type: "Bearer" });
    }
    const token = (seen.headers.authorization ?? "").replace("Bearer ", "");
    // The refusal comes late, so that all calls of one moment are refused with the same token.
    if (refuse.has(token)) return void setTimeout(() => json(response, {}, 401), 30);
    json(response, { token: refuse.has(token) ? "old" : "good" });
  });
  const auth = {
    type: "oauth2-client-credentials" as const,
    tokenUrl: `${server.url}/token`,
    clientId: { secret: "ID" },
    secret: "TOKEN",
    ...fields,
  };
  const endpoints = [
    { name: "get", path: "/p" },
    { name: "post", path: "/p", method: "POST" as const, body: {} },
  ];
  const toolkit = await openLocal({ baseUrl: server.url, endpoints, auth }, secrets);
  cleanups.push(server.close, () => toolkit.close());
  return { issued, refuse, server, call: (tool: string, args = {}) => toolkit.call(tool, args, callContext()) };
}

describe("tokens of OAuth2 client credentials", () => {
  it("[P2] are used until they run out, and asked for anew then", async () => {
    const { call, issued } = await guarded({}, 3600);
    for (const _ of [1, 2, 3]) await call("get");
    expect(issued).toHaveLength(1);
    const short = await guarded({}, "0.05");
    await short.call("get");
    await delay(100);
    await short.call("get");
    expect(short.issued).toHaveLength(2);
    expect(short.server.seen.at(-1)?.headers.authorization).toBe("Bearer access-token-2");
  });

  it("[P2] that are refused are asked for anew once, however many calls were under way with them", async () => {
    const { call, issued, refuse, server } = await guarded();
    await call("get");
    refuse.add("access-token-1");
    await Promise.all(
      Array.from({ length: 8 }, (_, at) => call(at % 2 === 0 ? "get" : "post", at % 2 ? { body: {} } : {})),
    );
    expect(issued).toHaveLength(2);
    expect(server.seen.filter(({ headers }) => headers.authorization === "Bearer access-token-2")).toHaveLength(8);
  });

  it("[P2] that are refused again and again end in the refusal, told once", async () => {
    const { call, issued, refuse } = await guarded();
    for (const each of [1, 2, 3, 4]) refuse.add(`access-token-${each}`);
    await expect(call("get")).rejects.toMatchObject({ code: "tool/http-status", details: { status: 401 } });
    expect(issued).toHaveLength(2);
  });

  it("[P2] are asked for with the client in the body, an audience and scopes when the definition says so", async () => {
    const { call, server } = await guarded({ send: "body", audience: "https://api.example", scopes: ["a", "b"] });
    await call("get");
    expect(Object.fromEntries(new URLSearchParams(server.seen[0]!.body.toString()))).toEqual({
      grant_type: "client_credentials",
      client_id: "client-1",
      client_secret: "tok-secret-1",
      audience: "https://api.example",
      scope: "a b",
    });
    expect(server.seen[0]!.headers.authorization).toBeUndefined();
  });

  it("[P2] never reach the cell, and the client's secret follows no redirect", async () => {
    const thief = await localServer();
    const server = await localServer((seen, response) => {
      if (seen.url === "/token") return void response.writeHead(307, { location: `${thief.url}/take` }).end();
      json(response, {});
    });
    cleanups.push(thief.close, server.close);
    for (const send of ["basic", "body"] as const) {
      const auth = { type: "oauth2-client-credentials" as const, tokenUrl: `${server.url}/token`, send };
      const endpoints = [{ name: "get", path: "/p" }];
      const toolkit = await openLocal(
        { baseUrl: server.url, endpoints, auth: { ...auth, clientId: "me", secret: "TOKEN" } },
        secrets,
      );
      cleanups.push(() => toolkit.close());
      const error = await toolkit.call("get", {}, callContext()).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ code: expect.stringMatching(/^tool\/(denied|http-status)$/) });
    }
    const secret = Buffer.from("me:tok-secret-1").toString("base64");
    for (const told of ["tok-secret-1", secret]) expect(JSON.stringify(thief.seen)).not.toContain(told);

    const { call } = await guarded();
    const echo = await localServer((seen, response) =>
      seen.url === "/token" ? json(response, { access_token: "access-token-x" }) : json(response, seen.headers),
    );
    cleanups.push(echo.close);
    const auth = { type: "oauth2-client-credentials" as const, tokenUrl: `${echo.url}/token`, clientId: "me" };
    const endpoints = [{ name: "get", path: "/p" }];
    const toolkit = await openLocal({ baseUrl: echo.url, endpoints, auth: { ...auth, secret: "TOKEN" } }, secrets);
    cleanups.push(() => toolkit.close());
    expect(await toolkit.call("get", {}, callContext())).toMatchObject({ authorization: "Bearer [redacted]" });
    await call("get");
  });
});

describe("Retry-After", () => {
  it("[P2] is read as seconds and as a date, and as nothing else", () => {
    const at = (text: string) => retryAfterMs(new Headers({ "retry-after": text }));
    expect(at("120")).toBe(120_000);
    expect(at(new Date(Date.now() - 5_000).toUTCString())).toBe(0);
    const hour = at(new Date(Date.now() + 3_600_000).toUTCString())!;
    expect(hour).toBeGreaterThan(3_500_000);
    expect(hour).toBeLessThanOrEqual(3_600_000);
    for (const odd of ["soon 1", "-5", "tomorrow", "1e3"]) expect(at(odd), odd).toBeUndefined();
  });

  it("[P2] as a date is waited for, or told when it is too far off", async () => {
    const answers = [new Date(Date.now() - 1_000).toUTCString(), undefined];
    const server = await localServer((_, response) => {
      const date = answers.shift();
      if (date === undefined) return json(response, { done: true });
      response.writeHead(503, { "retry-after": date }).end("later");
    });
    const far = await localServer((_, response) =>
      response.writeHead(429, { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() }).end("later"),
    );
    cleanups.push(server.close, far.close);
    const endpoints = [{ name: "get", path: "/p" }];
    const toolkit = await openLocal({ baseUrl: server.url, endpoints });
    const late = await openLocal({ baseUrl: far.url, endpoints });
    cleanups.push(
      () => toolkit.close(),
      () => late.close(),
    );
    expect(await toolkit.call("get", {}, callContext())).toEqual({ done: true });
    expect(server.seen).toHaveLength(2);
    await expect(late.call("get", {}, callContext())).rejects.toMatchObject({
      details: { status: 429, retryAfterMs: expect.any(Number) },
    });
    expect(far.seen).toHaveLength(1);
  });
});

describe("a name that resolves otherwise a moment later", () => {
  it("[P2] is checked at every connection, and of several addresses only the allowed are used", async () => {
    const server = await localServer((_, response) => {
      response.setHeader("connection", "close");
      json(response, {});
    });
    cleanups.push(server.close);
    const answers = [["127.0.0.1"], ["127.0.0.2"], ["169.254.169.254", "127.0.0.1"]];
    const resolver = ((_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
      callback(
        null,
        answers.shift()!.map((address) => ({ address, family: 4 })),
      )) as unknown as Resolver;
    const endpoints = [{ name: "get", path: "/p" }];
    const baseUrl = `http://rebinding.example:${server.port}`;
    const toolkit = await openLocal({ baseUrl, endpoints, retries: 0 }, { allow: ["127.0.0.1/32"], resolver });
    cleanups.push(() => toolkit.close());
    expect(await toolkit.call("get", {}, callContext())).toEqual({});
    await expect(toolkit.call("get", {}, callContext())).rejects.toMatchObject({
      code: "tool/denied",
      message: expect.stringContaining("loopback"),
    });
    expect(await toolkit.call("get", {}, callContext())).toEqual({});
    expect(server.seen).toHaveLength(2);
  });
});

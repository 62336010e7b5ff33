import { afterEach, describe, expect, it } from "vitest";
import { createAddressPolicy } from "../../src/http/address-policy.js";
import type { Resolver } from "../../src/http/index.js";
import { callContext, json, type LocalServer, localServer, openLocal, type Seen } from "./local-server.js";

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
  const endpoint = (name: string, method: "GET" | "POST" | "PUT") => ({ name, method, path: "/p" });
  const endpoints = [endpoint("get", "GET"), endpoint("put", "PUT"), { ...endpoint("post", "POST"), body: {} }];
  const toolkit = await openLocal({ endpoints, ...fields }, options);
  cleanups.push(() => toolkit.close());
  return toolkit;
};
const redirect =
  (location: () => string, status = 302): Parameters<typeof localServer>[0] =>
  (_, response) =>
    void response.writeHead(status, { location: location() }).end();
/** Answers every name with the one address, as a name server under foreign control would. */
const resolvesTo = (address: string): Resolver =>
  ((_host: string, _options: object, callback: (error: null, addresses: object[]) => void) =>
    callback(null, [{ address, family: address.includes(":") ? 6 : 4 }])) as unknown as Resolver;
const secrets = { resolveSecret: (name: string) => ({ TOKEN: "tok-secret-1", ID: "client-1" })[name] };

describe("which addresses may be reached", () => {
  it.each([
    ["127.0.0.1", "loopback"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["169.254.169.254", "metadata"],
    ["fe80::1", "link-local"],
    ["10.1.2.3", "private"],
    ["172.16.0.1", "private"],
    ["192.168.1.1", "private"],
    ["fd00:ec2::254", "private"],
    ["100.64.0.1", "carrier"],
    ["0.0.0.0", "unspecified"],
    ["224.0.0.1", "special use"],
    ["64:ff9b::7f00:1", "special use"],
    ["2002:7f00:1::", "special use"],
  ])("[P2] none that is not public: %s", (address, kind) => {
    expect(createAddressPolicy([]).problem(address)).toContain(kind);
  });

  it("[P2] public ones, and what is granted", () => {
    expect(createAddressPolicy([]).problem("93.184.216.34")).toBeUndefined();
    expect(createAddressPolicy([]).problem("2606:4700::1111")).toBeUndefined();
    const policy = createAddressPolicy(["10.0.0.0/8", "localhost:8080", "*.corp.example", "::1"]);
    expect(policy.problem("10.9.9.9")).toBeUndefined();
    expect(policy.problem("::1")).toBeUndefined();
    expect(policy.problem("127.0.0.1")).toBeDefined();
    expect([policy.grantsHost("localhost", 8080), policy.grantsHost("localhost", 80)]).toEqual([true, false]);
    expect([policy.grantsHost("a.corp.example", 1), policy.grantsHost("corp.example", 1)]).toEqual([true, false]);
    expect(policy.grantsHost("evilcorp.example", 1)).toBe(false);
    expect(() => createAddressPolicy(["10.0.0.0/99"])).toThrow(
      expect.objectContaining({ code: "tool/definition-invalid" }),
    );
  });

  it.each(["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:7f00:1]"])(
    "[P2] by number, however it is written: %s",
    async (host) => {
      const server = await serve();
      const toolkit = await open({ baseUrl: `http://${host}:${server.port}` }, { allow: [] });
      await expect(toolkit.call("get", {}, callContext())).rejects.toMatchObject({
        code: "tool/denied",
        message: expect.stringContaining("loopback"),
        hint: expect.stringContaining("network.allow"),
      });
      expect(server.seen).toEqual([]);
    },
  );

  it("[P2] by name, by what the name resolves to when the connection is made", async () => {
    const server = await serve();
    const fields = { baseUrl: `http://api.example:${server.port}` };
    const refused = await open(fields, { allow: [], resolver: resolvesTo("127.0.0.1") });
    await expect(refused.call("get", {}, callContext())).rejects.toMatchObject({
      code: "tool/denied",
      details: { host: "api.example" },
    });
    expect(server.seen).toEqual([]);
    const granted = await open(fields, { allow: ["127.0.0.0/8"], resolver: resolvesTo("127.0.0.1") });
    expect(await granted.call("get", {}, callContext())).toEqual({});
  });

  it("[P2] a grant in the definition counts too", async () => {
    const server = await serve();
    const toolkit = await open(
      { baseUrl: server.url, network: { allow: [`127.0.0.1:${server.port}`] } },
      { allow: [] },
    );
    expect(await toolkit.call("get", {}, callContext())).toEqual({});
  });
});

describe("redirects", () => {
  it("[P2] are followed within bounds", async () => {
    const server = await serve((seen, response) => {
      if (seen.url === "/p") response.writeHead(307, { location: "/q?x=1" }).end();
      else json(response, { at: seen.url, method: seen.method });
    });
    const toolkit = await open({ baseUrl: server.url });
    expect(await toolkit.call("get", {}, callContext())).toEqual({ at: "/q?x=1", method: "GET" });
    const circle = await serve(redirect(() => "/p"));
    const round = await open({ baseUrl: circle.url, maxRedirects: 3 });
    await expect(round.call("get", {}, callContext())).rejects.toMatchObject({
      code: "tool/denied",
      message: expect.stringContaining("3 times"),
    });
    expect(circle.seen).toHaveLength(4);
  });

  it("[P2] to addresses that may not be reached are refused", async () => {
    const inner = await serve();
    const outer = await serve(redirect(() => `http://127.0.0.1:${inner.port}/admin`));
    // Only the outer server is granted: the same loopback by another port is another place.
    const toolkit = await open({ baseUrl: outer.url }, { allow: [`127.0.0.1:${outer.port}`] });
    await expect(toolkit.call("get", {}, callContext())).rejects.toMatchObject({ code: "tool/denied" });
    const metadata = await serve(redirect(() => "http://169.254.169.254/latest/meta-data"));
    const other = await open({ baseUrl: metadata.url }, { allow: [`127.0.0.1:${metadata.port}`] });
    await expect(other.call("get", {}, callContext())).rejects.toMatchObject({
      code: "tool/denied",
      message: expect.stringContaining("metadata"),
    });
    const file = await serve(redirect(() => "file:///etc/passwd"));
    const third = await open({ baseUrl: file.url });
    await expect(third.call("get", {}, callContext())).rejects.toMatchObject({ code: "tool/denied" });
    expect(inner.seen).toEqual([]);
  });

  it("[P2] to another origin leave every credential behind", async () => {
    const other = await serve();
    const server = await serve(redirect(() => `${other.url}/landing`, 307));
    const auth = [
      { type: "bearer" as const, secret: "TOKEN" },
      { type: "api-key" as const, in: "cookie" as const, name: "sid", secret: "TOKEN" },
      { type: "api-key" as const, in: "query" as const, name: "key", secret: "TOKEN" },
    ];
    const toolkit = await open({ baseUrl: server.url, auth, headers: { "X-Key": { secret: "TOKEN" } } }, secrets);
    await toolkit.call("post", { body: { a: 1 } }, callContext());
    expect(JSON.stringify(server.seen)).toContain("tok-secret-1");
    expect(JSON.stringify(other.seen)).not.toContain("tok-secret-1");
    expect(other.seen[0]).toMatchObject({
      method: "POST",
      url: "/landing",
      headers: { "content-type": "application/json" },
    });
    expect(other.seen[0]?.body.toString()).toBe('{"a":1}');
  });

  it("[P2] of a POST by 302 or 303 become a GET without its body", async () => {
    for (const status of [302, 303]) {
      const server = await serve((seen, response) => {
        if (seen.url === "/p") response.writeHead(status, { location: "/done" }).end();
        else json(response, {});
      });
      const toolkit = await open({ baseUrl: server.url });
      await toolkit.call("post", { body: { a: 1 } }, callContext());
      expect(server.seen[1]).toMatchObject({ method: "GET", url: "/done" });
      expect(server.seen[1]?.body).toHaveLength(0);
    }
  });
});

describe("credentials", () => {
  const sent = async (auth: Fields["auth"], options = secrets): Promise<Seen> => {
    const server = await serve();
    const toolkit = await open({ baseUrl: server.url, auth }, options);
    await toolkit.call("get", {}, callContext());
    return server.seen[0]!;
  };

  it("[P2] are put on by kind", async () => {
    expect((await sent({ type: "bearer", secret: "TOKEN" })).headers.authorization).toBe("Bearer tok-secret-1");
    const basic = (await sent({ type: "basic", username: { secret: "ID" }, secret: "TOKEN" })).headers.authorization;
    expect(Buffer.from(basic!.slice(6), "base64").toString()).toBe("client-1:tok-secret-1");
    expect((await sent({ type: "api-key", name: "X-Key", prefix: "Key ", secret: "TOKEN" })).headers["x-key"]).toBe(
      "Key tok-secret-1",
    );
    expect((await sent({ type: "api-key", in: "query", name: "k", secret: "TOKEN" })).url).toBe("/p?k=tok-secret-1");
    expect((await sent({ type: "api-key", in: "cookie", name: "k", secret: "TOKEN" })).headers.cookie).toBe(
      "k=tok-secret-1",
    );
  });

  it("[P2] that the host does not have are named before anything is sent", async () => {
    const server = await serve();
    const toolkit = await open({ baseUrl: server.url, auth: { type: "bearer", secret: "GONE" } }, secrets);
    await expect(toolkit.call("get", {}, callContext())).rejects.toMatchObject({
      code: "tool/secret-missing",
      details: { secret: "GONE", field: "auth.secret" },
    });
    expect(server.seen).toEqual([]);
  });

  it("[P2] never reach the cell: not by echo, not by error, not by address", async () => {
    const echo = await serve((seen, response) => json(response, { ...seen.headers, url: seen.url }));
    const auth = [
      { type: "basic" as const, username: "me", secret: "TOKEN" },
      { type: "api-key" as const, in: "query" as const, name: "key", secret: "TOKEN" },
    ];
    const toolkit = await open({ baseUrl: echo.url, auth }, secrets);
    const value = JSON.stringify(await toolkit.call("get", {}, callContext()));
    expect(value).toContain("[redacted]");
    const pair = Buffer.from("me:tok-secret-1").toString("base64");
    for (const secret of ["tok-secret-1", pair]) expect(value).not.toContain(secret);

    const refusing = await serve((seen, response) =>
      response.writeHead(400).end(`bad ${seen.headers.authorization} at ${seen.url}`),
    );
    const refused = await open({ baseUrl: refusing.url, auth, retries: 0 }, secrets);
    const error = await refused.call("get", {}, callContext()).catch((thrown: Error) => thrown);
    const told = JSON.stringify(error) + String((error as Error).stack) + JSON.stringify((error as Error).cause ?? "");
    for (const secret of ["tok-secret-1", pair]) expect(told).not.toContain(secret);

    refusing.close();
    const unreachable = await refused.call("get", {}, callContext()).catch((thrown: Error) => thrown);
    expect(JSON.stringify(unreachable)).not.toContain("tok-secret-1");
  });

  it("[P2] of OAuth2 are asked for once, shared, and asked for anew when refused", async () => {
    let issued = 0;
    let refuse = false;
    const server = await serve((seen, response) => {
      if (seen.url === "/token")
        return json(response, { access_token: `access-token-${++issued}`, expires_in: 3600, token_type: "bearer" });
      if (refuse && seen.headers.authorization === "Bearer access-token-1") return json(response, {}, 401);
      json(response, {});
    });
    const auth = {
      type: "oauth2-client-credentials" as const,
      tokenUrl: `${server.url}/token`,
      clientId: { secret: "ID" },
      secret: "TOKEN",
      scopes: ["read", "write"],
    };
    const toolkit = await open({ baseUrl: server.url, auth }, secrets);
    await Promise.all([1, 2, 3].map(() => toolkit.call("get", {}, callContext())));
    const [token, ...calls] = server.seen;
    expect(token).toMatchObject({ method: "POST", url: "/token" });
    expect(token?.body.toString()).toBe("grant_type=client_credentials&scope=read+write");
    expect(Buffer.from(token!.headers.authorization!.slice(6), "base64").toString()).toBe("client-1:tok-secret-1");
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill("Bearer access-token-1"));
    refuse = true;
    await toolkit.call("get", {}, callContext());
    expect(server.seen.at(-1)?.headers.authorization).toBe("Bearer access-token-2");
    expect(issued).toBe(2);
  });

  it("[P2] of OAuth2 come for the others though the call that asked first was given up", async () => {
    const server = await serve((seen, response) => {
      if (seen.url === "/token")
        setTimeout(() => json(response, { access_token: "access-token", expires_in: 60 }), 150);
      else json(response, {});
    });
    const auth = {
      type: "oauth2-client-credentials" as const,
      tokenUrl: `${server.url}/token`,
      clientId: "me",
      secret: "TOKEN",
    };
    const toolkit = await open({ baseUrl: server.url, auth }, secrets);
    const controller = new AbortController();
    const first = toolkit.call("get", {}, callContext({ signal: controller.signal }));
    const second = toolkit.call("get", {}, callContext());
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: "tool/cancelled" });
    expect(await second).toEqual({});
    expect(server.seen.filter(({ url }) => url === "/token")).toHaveLength(1);
  });

  it("[P2] of OAuth2 that are refused say so without telling them", async () => {
    const server = await serve((seen, response) =>
      json(response, { error: "invalid_client", got: seen.body.toString() }, 401),
    );
    const auth = {
      type: "oauth2-client-credentials" as const,
      tokenUrl: server.url,
      clientId: "me",
      secret: "TOKEN",
      send: "body" as const,
    };
    const toolkit = await open({ baseUrl: server.url, auth }, secrets);
    const error = await toolkit.call("get", {}, callContext()).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: "tool/http-status", details: { status: 401 } });
    expect(JSON.stringify(error)).toContain("invalid_client");
    expect(JSON.stringify(error)).not.toContain("tok-secret-1");
  });
});

describe("retries", () => {
  const failing = (times: number, status = 503, headers = {}) => {
    let count = 0;
    return serve((_, response) => {
      if (count++ < times) response.writeHead(status, headers).end("later");
      else json(response, { tries: count });
    });
  };

  it("[P2] are made for methods that may be repeated, and for no others", async () => {
    for (const tool of ["get", "put"]) {
      const server = await failing(2);
      const toolkit = await open({ baseUrl: server.url });
      expect(await toolkit.call(tool, {}, callContext())).toEqual({ tries: 3 });
    }
    const server = await failing(1);
    const toolkit = await open({ baseUrl: server.url });
    await expect(toolkit.call("post", { body: {} }, callContext())).rejects.toMatchObject({ details: { status: 503 } });
    expect(server.seen).toHaveLength(1);
  });

  it("[P2] are made when the connection breaks", async () => {
    let count = 0;
    const server = await serve((_, response) => (count++ === 0 ? response.destroy() : json(response, { ok: true })));
    const toolkit = await open({ baseUrl: server.url });
    expect(await toolkit.call("get", {}, callContext())).toEqual({ ok: true });
  });

  it("[P2] end at the last answer, which is told", async () => {
    const server = await failing(9);
    const toolkit = await open({ baseUrl: server.url, retries: 1 });
    await expect(toolkit.call("get", {}, callContext())).rejects.toMatchObject({
      code: "tool/http-status",
      details: { status: 503, body: "later" },
    });
    expect(server.seen).toHaveLength(2);
  });

  it("[P2] wait as long as the server asks, or not at all when that is too long", async () => {
    const soon = await failing(1, 429, { "retry-after": "0" });
    expect(await (await open({ baseUrl: soon.url })).call("get", {}, callContext())).toEqual({ tries: 2 });
    const late = await failing(1, 429, { "retry-after": "3600" });
    await expect((await open({ baseUrl: late.url })).call("get", {}, callContext())).rejects.toMatchObject({
      details: { status: 429, retryAfterMs: 3_600_000 },
    });
    expect(late.seen).toHaveLength(1);
  });

  it("[P2] are not made for answers that would be the same again", async () => {
    const server = await failing(5, 404);
    await expect((await open({ baseUrl: server.url })).call("get", {}, callContext())).rejects.toMatchObject({
      details: { status: 404 },
    });
    expect(server.seen).toHaveLength(1);
  });
});

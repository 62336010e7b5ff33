import { describe, expect, it } from "vitest";
import { createBraveSearch, createSearxngSearch, createTavilySearch } from "../../src/web/index.js";
import { json } from "../http/local-server.js";
import { useWeb } from "./web-toolkit.js";

const { serve, open } = useWeb();
const found = (...urls: string[]) => ({
  success: true,
  data: {
    web: urls.map((url, at) => ({ title: expect.any(String), url, description: expect.any(String), position: at + 1 })),
  },
});

describe("web_search", () => {
  it("asks a SearXNG instance of this machine, page after page, and gives each address once [M4]", async () => {
    const pages = [
      [
        { title: "One &amp; <b>only</b>", url: "https://a.example/1", content: "first\n page" },
        { title: "Two", url: "https://a.example/2" },
        { title: "Again", url: "https://a.example/1", content: "" },
        { title: "Bad", url: "javascript:alert(1)" },
      ],
      [{ title: "Three", url: "https://a.example/3", content: "third" }],
      [],
    ];
    const server = await serve(({ url }, response) => {
      const page = Number(new URL(url, "http://x").searchParams.get("pageno"));
      json(response, { query: "q", results: pages[page - 1] });
    });
    const { call } = open({ search: createSearxngSearch({ url: `${server.url}/sx`, parameters: { language: "de" } }) });
    const result = await call("web_search", { query: "rust async", limit: 5 });
    expect(result).toEqual(found("https://a.example/1", "https://a.example/2", "https://a.example/3"));
    expect(result).toMatchObject({
      data: { web: [{ title: "One & only", description: "first page", position: 1 }, {}, {}] },
    });
    const asked = new URL(server.seen[0]!.url, server.url);
    expect(asked.pathname).toBe("/sx/search");
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      language: "de",
      q: "rust async",
      format: "json",
      pageno: "1",
    });
    const before = server.seen.length;
    expect(await call("web_search", { query: "rust async", limit: 5 })).toEqual(result);
    expect(server.seen.length).toBe(before);
  });

  it("says how to mend a SearXNG instance that gives no JSON", async () => {
    const server = await serve((_, response) => response.writeHead(403).end("Forbidden"));
    const { call } = open({ search: createSearxngSearch({ url: server.url }) });
    await expect(call("web_search", { query: "q" })).rejects.toMatchObject({
      code: "tool/http-status",
      hint: expect.stringContaining("search.formats"),
    });
  });

  it("asks Brave and Tavily as their APIs want it, with the key that the host resolves [M4]", async () => {
    const server = await serve(({ method }, response) =>
      json(
        response,
        method === "GET"
          ? { web: { results: [{ title: "B", url: "https://b.example/", description: "<strong>b</strong>" }] } }
          : { results: [{ title: "T", url: "https://t.example/", content: "t" }] },
      ),
    );
    const brave = open({ search: createBraveSearch({ apiKey: async () => "brave-key", url: server.url }) });
    expect(await brave.call("web_search", { query: "q", limit: 3 })).toEqual(found("https://b.example/"));
    expect(server.seen[0]).toMatchObject({ url: "/?q=q&count=3", headers: { "x-subscription-token": "brave-key" } });
    const tavily = open({ search: createTavilySearch({ apiKey: "tavily-key", url: server.url }) });
    expect(await tavily.call("web_search", { query: "q", limit: 3 })).toEqual(found("https://t.example/"));
    expect(server.seen[1]!.headers.authorization).toBe("Bearer tavily-key");
    expect(JSON.parse(String(server.seen[1]!.body))).toEqual({ query: "q", max_results: 3 });
  });

  it("lets no key into an error, not even one that the engine repeats", async () => {
    const server = await serve(({ headers }, response) =>
      json(response, { error: `bad token ${headers["x-subscription-token"]}` }, 401),
    );
    const { call } = open({ search: createBraveSearch({ apiKey: "s3cret-key", url: server.url }) });
    const error = await call("web_search", { query: "q" }).then(
      () => undefined,
      (thrown: { code: string; toJSON(): unknown }) => thrown,
    );
    expect(error).toMatchObject({ code: "tool/http-status", hint: "Check the key." });
    expect(JSON.stringify(error!.toJSON())).not.toContain("s3cret-key");
    const without = open({ search: createBraveSearch({ apiKey: () => undefined, url: server.url }) });
    await expect(without.call("web_search", { query: "q" })).rejects.toMatchObject({ code: "tool/secret-missing" });
  });

  it("takes a function of the host's as the engine [M4]", async () => {
    const { call } = open({
      search: async (query, { limit }) =>
        Array.from({ length: 9 }, (_, at) => ({
          title: query,
          url: `https://e.example/${at}`,
          description: `${limit}`,
        })),
    });
    expect(await call("web_search", { query: "q", limit: 2 })).toEqual(
      found("https://e.example/0", "https://e.example/1"),
    );
  });

  it("is listed as unavailable without an engine, and says how to get one", async () => {
    const { toolkit, call } = open();
    expect(toolkit.tools.find(({ name }) => name === "web_search")!.unavailable).toMatchObject({
      hint: expect.stringContaining("searxng"),
    });
    await expect(call("web_search", { query: "q" })).rejects.toMatchObject({ code: "tool/unavailable" });
  });

  it("gives no half characters, however the engine wrote them", async () => {
    const { call } = open({
      search: async () => [{ title: "&#xD83D; &#x1F600;", url: "https://e.example/", description: "\ud83d" }],
    });
    expect(await call("web_search", { query: "q" })).toMatchObject({
      data: { web: [{ title: "\ufffd 😀", description: "\ufffd" }] },
    });
  });

  it("takes no key to another host, where an engine redirects to one", async () => {
    const other = await serve((_, response) => json(response, { web: { results: [] } }));
    const engine = await serve((_, response) => response.writeHead(307, { location: other.url }).end());
    const { call } = open({
      allow: ["127.0.0.1"],
      search: createBraveSearch({ apiKey: "brave-key", url: engine.url }),
    });
    await call("web_search", { query: "q" });
    expect(engine.seen[0]!.headers["x-subscription-token"]).toBe("brave-key");
    expect(other.seen).toHaveLength(1);
    expect(JSON.stringify(other.seen)).not.toContain("brave-key");
  });

  it("tells an answer that is none apart", async () => {
    const server = await serve(({ url }, response) =>
      url.includes("q=html") ? response.end("<html>") : json(response, { hits: [] }),
    );
    const { call } = open({ search: createSearxngSearch({ url: server.url }) });
    for (const query of ["html", "other"])
      await expect(call("web_search", { query })).rejects.toMatchObject({ code: "tool/output-unparsable" });
  });
});

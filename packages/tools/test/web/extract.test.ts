import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Resolver } from "../../src/http/index.js";
import { createSearxngSearch } from "../../src/web/index.js";
import { json } from "../http/local-server.js";
import { useWeb } from "./web-toolkit.js";

const { serve, open } = useWeb();
const allow = ["127.0.0.1"];
const paragraph = "Rust's runtimes differ in how they schedule tasks, and this sentence is long enough to count. ";
const article = `<!doctype html><html><head><title>Runtimes | Site</title><script>var x = "tracker"</script></head><body>
<nav><a href="/home">Home</a> <a href="/login">Log in</a></nav>
<article><h1>Runtimes</h1><p>${paragraph.repeat(4)} See <a href="../docs?a=1#top">the docs</a>.</p>
<h2>Tables</h2><table><thead><tr><th>Name</th><th>Speed</th></tr></thead><tbody><tr><td>tokio</td><td>fast</td></tr></tbody></table>
<pre><code>fn main() {}</code></pre><p>${paragraph.repeat(3)} <a href="javascript:alert(1)">click</a></p><img src="data:image/png;base64,AAAA"></article>
<footer>Copyright</footer></body></html>`;
interface Page {
  url: string;
  title: string;
  content: string;
  error?: string;
}
const results = (value: unknown) => (value as { results: Page[] }).results;

describe("web_extract", () => {
  it("gives the article of a page as Markdown, without what surrounds it [M4]", async () => {
    const server = await serve((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(article));
    const { call } = open({ allow });
    const [page] = results(await call("web_extract", { urls: [`${server.url}/blog/post`] }));
    expect(page).toMatchObject({ url: `${server.url}/blog/post`, title: expect.stringContaining("Runtimes") });
    expect(page).not.toHaveProperty("error");
    const { content } = page!;
    expect(content).toContain("schedule tasks");
    expect(content).toContain(`[the docs](${server.url}/docs?a=1#top)`);
    expect(content).toContain("## Tables");
    expect(content).toMatch(/\| Name\s*\| Speed\s*\|/);
    expect(content).toContain("fn main() {}");
    for (const noise of ["Log in", "Copyright", "tracker", "javascript:", "data:", "<p>"])
      expect(content).not.toContain(noise);
  });

  it("gives what a page shows when it has no article, and text and JSON as they are", async () => {
    const pages: Record<string, [string, string | Buffer]> = {
      "/short": ["text/html; charset=utf-8", "<p>Just <b>this</b></p><script>no()</script>"],
      "/notes.md": ["text/markdown", "# Notes\n"],
      "/data": ["application/json", '{"a": 1}'],
      "/latin": ["text/html", Buffer.from('<meta charset="iso-8859-1"><p>caf\xe9</p>', "latin1")],
      "/empty": ["text/html", ""],
      "/deep": ["text/html", `${"<div>".repeat(20_000)}deep${"</div>".repeat(20_000)}`],
    };
    const server = await serve(({ url }, response) => {
      const [type, body] = pages[url]!;
      response.writeHead(200, { "content-type": type }).end(body);
    });
    const { call } = open({ allow });
    const urls = Object.keys(pages).map((path) => server.url + path);
    const contents = results(await call("web_extract", { urls })).map(({ content }) => content);
    expect(contents).toEqual(["Just **this**", "# Notes\n", '{"a": 1}', "café", "", "deep"]);
  });

  it("tells of each page that can't be had why, and gives the others [M4]", async () => {
    const server = await serve(({ url }, response) => {
      if (url === "/pdf") response.writeHead(200, { "content-type": "application/pdf" }).end("%PDF-1.7");
      else if (url === "/gone") json(response, {}, 404);
      else if (url === "/huge") response.writeHead(200, { "content-type": "text/plain" }).end("x".repeat(5000));
      else if (url === "/hang") return;
      else response.writeHead(200, { "content-type": "text/plain" }).end("fine");
    });
    const { call } = open({ allow, limits: { maxPageBytes: 1000, timeoutMs: 2_000 } });
    const paths = ["/pdf", "/gone", "/huge", "/hang", "/fine"];
    const pages = results(
      await call("web_extract", { urls: [...paths.map((path) => server.url + path), "ftp://x/", "nonsense"] }),
    );
    expect(pages.map(({ error, content }) => error ?? content)).toEqual([
      expect.stringContaining("application/pdf"),
      expect.stringContaining("404"),
      expect.stringContaining("over 1000 bytes"),
      expect.stringContaining("longer than 2 s"),
      "fine",
      expect.stringContaining("https://"),
      expect.stringContaining("nonsense"),
    ]);
    expect(pages.every((page) => page.error === undefined || page.content === "")).toBe(true);
  });

  it("reaches no loopback, private or metadata address unless granted, by name, redirect or search engine [M4]", async () => {
    const server = await serve(({ url }, response) =>
      url === "/away"
        ? response.writeHead(302, { location: "http://169.254.169.254/latest" }).end()
        : response.writeHead(200, { "content-type": "text/plain" }).end("private"),
    );
    const { port } = server;
    const engine = createSearxngSearch({ url: server.url });
    const { call } = open({ search: engine });
    const urls = [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      "http://10.0.0.1/",
    ];
    for (const { error } of results(await call("web_extract", { urls }))) expect(error).toContain("may not reach");
    expect(server.seen).toEqual([]);
    const granted = open({ allow: [`127.0.0.1:${port}`] });
    const [page, away] = results(await granted.call("web_extract", { urls: [server.url, `${server.url}/away`] }));
    expect(page).toMatchObject({ content: "private" });
    expect(away!.error).toContain("169.254.169.254");
  });

  it("cuts the middle of a long page, says so, and has the whole from its memory", async () => {
    const server = await serve((_, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end(`begin${"x".repeat(1000)}end`),
    );
    const { call } = open({ allow });
    const urls = [server.url];
    const [cut] = results(await call("web_extract", { urls, char_limit: 100 }));
    expect(cut).toMatchObject({ truncated: true, total_chars: 1008 });
    expect(cut!.content).toMatch(/^begin.*908 of 1008 characters left out.*end$/s);
    const [whole] = results(await call("web_extract", { urls, char_limit: 2000 }));
    expect(whole).toMatchObject({ truncated: false, content: expect.stringMatching(/^beginx{1000}end$/) });
    expect(server.seen.length).toBe(1);
  });

  it("cuts no character in two", async () => {
    const text = "😀".repeat(200);
    const server = await serve((_, response) =>
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(text),
    );
    const { call } = open({ allow });
    for (const limit of [99, 100, 101, 102, 103]) {
      const [page] = results(await call("web_extract", { urls: [server.url], char_limit: limit }));
      expect(page!.content, String(limit)).not.toMatch(/\p{Surrogate}|\ufffd/u);
    }
  });

  it("remembers a page for as long as the limits say, and not at all for none", async () => {
    const server = await serve((_, response) => response.writeHead(200, { "content-type": "text/plain" }).end("page"));
    const urls = [server.url];
    const forgetful = open({ allow, limits: { cacheMs: 0 } });
    const brief = open({ allow, limits: { cacheMs: 20 } });
    for (const { call } of [forgetful, brief]) {
      const before = server.seen.length;
      await call("web_extract", { urls });
      await delay(60);
      await call("web_extract", { urls });
      expect(server.seen.length - before).toBe(2);
    }
    expect(new Set(server.seen.map(({ headers }) => headers["user-agent"]))).toEqual(new Set(["artificer"]));
  });

  it("checks what a name resolves to, at each page anew [M4]", async () => {
    const server = await serve((_, response) =>
      response.writeHead(200, { "content-type": "text/plain", connection: "close" }).end("private"),
    );
    const answers = ["127.0.0.1", "169.254.169.254"];
    const resolver = ((_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
      callback(null, [{ address: answers.shift(), family: 4 }])) as unknown as Resolver;
    const { call } = open({ allow: ["127.0.0.1"], resolver, limits: { cacheMs: 0 } });
    const urls = [`http://rebinding.example:${server.port}/`];
    expect(results(await call("web_extract", { urls }))[0]).toMatchObject({ content: "private" });
    expect(results(await call("web_extract", { urls }))[0]!.error).toContain("metadata");
    expect(server.seen).toHaveLength(1);
  });

  it("asks one host for no more pages at once than is polite, and tries once more when told to wait", async () => {
    let [open_, most, refused] = [0, 0, false];
    const server = await serve(({ url }, response) => {
      if (url === "/0" && !refused) {
        refused = true;
        response.writeHead(429, { "retry-after": "0" }).end();
        return;
      }
      most = Math.max(most, ++open_);
      setTimeout(() => {
        open_--;
        response.writeHead(200, { "content-type": "text/plain" }).end(url);
      }, 20);
    });
    const { call } = open({ allow, limits: { perHost: 2 } });
    const urls = Array.from({ length: 8 }, (_, at) => `${server.url}/${at}`);
    const contents = results(await call("web_extract", { urls })).map(({ content }) => content);
    expect(contents).toEqual(["/0", "/1", "/2", "/3", "/4", "/5", "/6", "/7"]);
    expect(most).toBe(2);
  });
});

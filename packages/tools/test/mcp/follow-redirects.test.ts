import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { fetchWithinOrigin } from "../../src/mcp/follow-redirects.js";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that redirects `/` to where it is told, and what came to it. */
async function serve(location: () => string, status = 307) {
  const seen: { url: string; method: string; key: unknown }[] = [];
  const server = createServer(({ url = "", method = "", headers }, response) => {
    seen.push({ url, method, key: headers["x-key"] });
    if (url === "/") response.writeHead(status, { location: location() }).end();
    else response.end("there");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const request = { method: "POST", body: "{}", headers: { "x-key": "s3cret" } };

describe("redirects of an MCP server at an address", () => {
  it("are followed within its origin, headers and all", async () => {
    const server = await serve(() => "/next");
    const response = await fetchWithinOrigin(`${server.url}/`, request);
    expect(await response.text()).toBe("there");
    expect(server.seen).toMatchObject([{ url: "/" }, { url: "/next", method: "POST", key: "s3cret" }]);
  });

  it("lead nowhere else: no header with a secret leaves for another origin", async () => {
    const thief = await serve(() => "/");
    const server = await serve(() => `${thief.url}/take`);
    await expect(fetchWithinOrigin(`${server.url}/`, request)).rejects.toMatchObject({ code: "tool/denied" });
    expect(thief.seen).toEqual([]);
  });

  it("[P2] of a kind that would lose the message are refused: a question is not turned into another", async () => {
    for (const status of [301, 302, 303]) {
      const server = await serve(() => "/next", status);
      await expect(fetchWithinOrigin(`${server.url}/`, request)).rejects.toMatchObject({
        code: "tool/denied",
        message: expect.stringContaining(String(status)),
      });
      expect(server.seen).toHaveLength(1);
      expect(await (await fetchWithinOrigin(`${server.url}/`)).text()).toBe("there");
    }
  });

  it("that go round in circles are given up", async () => {
    const server = await serve(() => "/");
    await expect(fetchWithinOrigin(`${server.url}/`, request)).rejects.toMatchObject({ code: "tool/denied" });
    expect(server.seen).toHaveLength(6);
  });
});

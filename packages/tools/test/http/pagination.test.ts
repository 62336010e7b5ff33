import { afterEach, describe, expect, it } from "vitest";
import { callContext, json, localServer, openLocal } from "./local-server.js";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
type Fields = Parameters<typeof openLocal>[0];
const rows = Array.from({ length: 7 }, (_, n) => n);

/** A list of seven rows in pages of three, that goes on in every way there is. */
async function open(pagination: NonNullable<Fields["paginate"]>[string]) {
  const server = await localServer((seen, response) => {
    const { searchParams } = new URL(seen.url, "http://x");
    const start = Number(
      searchParams.get("offset") ?? searchParams.get("cursor") ?? (Number(searchParams.get("page") ?? 1) - 1) * 3,
    );
    const page = rows.slice(start, start + 3);
    const more = start + 3 < rows.length;
    const next = `/rows?cursor=${start + 3}`;
    if (more) response.setHeader("link", `</rows?cursor=0>; rel="first", <${next}>; rel="next"`);
    json(response, { data: page, meta: { cursor: more ? start + 3 : null }, links: more ? { next } : {} });
  });
  cleanups.push(server.close);
  const parameters = { cursor: {}, page: { type: "integer" }, offset: { type: "integer" } } as const;
  const endpoints = [{ name: "rows", path: "/rows", parameters }];
  const toolkit = await openLocal({ baseUrl: server.url, endpoints, paginate: { rows: pagination } });
  cleanups.push(() => toolkit.close());
  return { toolkit, server };
}

describe("a list in pages", () => {
  it.each([
    [{ by: "link", items: "data" }, 3],
    [{ by: "url", at: "links.next", items: "data" }, 3],
    [{ by: "cursor", at: "meta.cursor", parameter: "cursor", items: "data" }, 3],
    [{ by: "page", parameter: "page", items: "data" }, 4],
    [{ by: "offset", parameter: "offset", items: "data" }, 4],
  ] as const)("[P2] is walked to its end: %j", async (pagination, pages) => {
    const { toolkit } = await open(pagination);
    expect(await toolkit.call("rows_all", {}, callContext())).toEqual({ items: rows, pages, complete: true });
  });

  it("[P2] says when it was not read to its end", async () => {
    const { toolkit, server } = await open({ by: "link", items: "data" });
    expect(await toolkit.call("rows_all", { max_pages: 2 }, callContext())).toEqual({
      items: rows.slice(0, 6),
      pages: 2,
      complete: false,
    });
    expect(server.seen).toHaveLength(2);
    expect(toolkit.tools.map(({ name, effect }) => [name, effect])).toEqual([
      ["rows", "read"],
      ["rows_all", "read"],
    ]);
  });

  it("[P2] is not followed to another place, nor in circles, and must be a list", async () => {
    const walk = async (body: object, items = "data") => {
      const server = await localServer((_, response) => json(response, body));
      cleanups.push(server.close);
      const endpoints = [{ name: "rows", path: "/rows" }];
      const paginate = { rows: { by: "url" as const, at: "next", items } };
      const toolkit = await openLocal({ baseUrl: server.url, endpoints, paginate });
      cleanups.push(() => toolkit.close());
      return toolkit.call("rows_all", {}, callContext());
    };
    const odd = (message: RegExp) => ({ code: "tool/output-unparsable", message: expect.stringMatching(message) });
    await expect(walk({ data: [1], next: "http://127.0.0.1:9/steal" })).rejects.toMatchObject(odd(/another place/));
    await expect(walk({ data: [1], next: "/rows?again" })).rejects.toMatchObject(odd(/read already/));
    await expect(walk({ data: 5 })).rejects.toMatchObject(odd(/no list at data/));
  });

  it("[P2] that is no tool of the API is refused by name", async () => {
    const endpoints = [{ name: "rows", path: "/rows" }];
    const paginate = { row: { by: "link" as const } };
    await expect(openLocal({ baseUrl: "http://x.example", endpoints, paginate })).rejects.toMatchObject({
      code: "tool/definition-invalid",
      details: { field: "paginate.row", tools: ["rows"] },
    });
  });
});

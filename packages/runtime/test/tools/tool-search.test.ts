import { describe, expect, it } from "vitest";
import { createMemoryStorage } from "../../src/storage/create-memory-storage.js";
import { createToolset } from "../../src/tools/create-toolset.js";
import { openToolSearch } from "../../src/tools/tool-search.js";
import { kit, tool } from "./fixture.js";

const toolset = createToolset({
  toolkits: [
    kit("curl", [
      tool("get", {}, { description: "Fetches a page" }),
      tool("post", {}, { description: "Sends a page" }),
    ]),
    kit("a", [tool("b.c", {}, { description: "Counts sheep" })]),
    kit("a.b", [tool("c", {}, { description: "Counts goats" })]),
  ],
});

describe("the search for tools", () => {
  it("learns the query that led to a call, once, and every later session ranks by it [P3]", async () => {
    const storage = createMemoryStorage();
    const search = await openToolSearch(toolset, storage);
    expect(await search.search("page wombat")).toMatchObject([{ path: "curl.get" }, { path: "curl.post" }]);
    search.used("curl", "post");
    search.used("curl", "post");
    expect(await search.search("wombat")).toMatchObject([{ path: "curl.post" }]);
    await search.settle();
    const later = await openToolSearch(toolset, storage);
    expect(await later.search("wombat")).toMatchObject([{ path: "curl.post" }]);
    expect(await later.search("page wombat")).toMatchObject([{ path: "curl.post" }, { path: "curl.get" }]);
  });

  it("learns nothing of a call that no search had led to", async () => {
    const search = await openToolSearch(toolset, createMemoryStorage());
    await search.search("sheep");
    search.used("curl", "get");
    expect((await search.search("sheep")).map(({ path }) => path)).toEqual(["a.b.c"]);
  });

  it("keeps tools apart whose paths read alike", async () => {
    const search = await openToolSearch(toolset, createMemoryStorage());
    expect(await search.search("counts")).toHaveLength(2);
    expect(await search.search("goats")).toMatchObject([{ toolkit: "a.b", tool: "c" }]);
    expect(await search.search("sheep")).toMatchObject([{ toolkit: "a", tool: "b.c" }]);
  });

  it("says once that it goes by words only, and goes on when it can't keep what it learned", async () => {
    const problems: string[] = [];
    const storage = createMemoryStorage();
    const search = await openToolSearch(toolset, storage, { onProblem: (message) => problems.push(message) });
    await search.search("sheep");
    await search.search("goats");
    expect(problems).toHaveLength(1);
    await storage.close();
    search.used("a.b", "c");
    await search.settle();
    expect(problems[1]).toMatch(/^What led to .*could not be learned/);
  });
});

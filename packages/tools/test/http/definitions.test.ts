import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readHttpDefinition } from "../../src/http/index.js";

describe("a definition in YAML", () => {
  it("[P2] is read with its defaults", () => {
    const text =
      "type: http\nname: api\nbaseUrl: https://x.example\nendpoints: [{ name: a, path: /a, method: post, body: {} }]\n";
    expect(readHttpDefinition(text, "tools/api.yaml")).toMatchObject({
      timeoutMs: 30_000,
      retries: 2,
      network: { allow: [] },
      endpoints: [{ method: "POST", body: { contentType: "application/json", required: true } }],
    });
  });

  it.each([
    ["type: http\nname: api\n", 1, /needs openapi or endpoints/],
    ["type: http\nname: api\nendpoints: [{ name: a, path: /a }]\n", 1, /need a baseUrl/],
    ["type: http\nname: api\nopenapi: x\nbaseURL: https://x.example\n", 4, /baseURL.*the fields are .*baseUrl/],
    ["type: http\nname: api\nopenapi: x\nbaseUrl: ftp://x.example\n", 4, /baseUrl/],
    [
      "type: http\nname: api\nopenapi: x\nauth:\n  type: bearer\n  token: abc\n",
      4,
      /auth.secret: .*string.*auth: .*token/,
    ],
    [
      "type: http\nname: api\nbaseUrl: https://x.example\nendpoints:\n  - name: a\n    path: a\n",
      6,
      /endpoints.0.path/,
    ],
    ["type: http\nname: api\nopenapi: x\npaginate:\n  list: { by: magic }\n", 5, /paginate.list.by/],
  ])("[P2] that is wrong is refused by source, line and field: %j", (text, line, message) => {
    expect(() => readHttpDefinition(text, "tools/api.yaml")).toThrow(
      expect.objectContaining({
        code: "tool/definition-invalid",
        message: expect.stringMatching(message),
        details: expect.objectContaining({ source: "tools/api.yaml", line }),
      }),
    );
  });

  it("[P2] reads every example of the docs page", async () => {
    const page = await readFile(new URL("../../../../docs/tools-http.md", import.meta.url), "utf8");
    const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text!);
    expect(examples.length).toBeGreaterThan(1);
    for (const text of examples) expect(readHttpDefinition(text, "docs/tools-http.md").type).toBe("http");
  });
});

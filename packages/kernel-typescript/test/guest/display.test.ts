import { displayNotice } from "@artificer/protocol";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ScriptedHost } from "../scripted-host.js";

let host: ScriptedHost;
beforeAll(async () => {
  host = await ScriptedHost.open({ limits: { maxDisplayBytes: 500, maxDisplays: 3 } });
});
afterAll(() => host.close());
beforeEach(() => {
  host.notices.length = 0;
});

async function shown(code: string) {
  const result = await host.cell(code);
  expect(result.error?.traceback).toBeUndefined();
  return host.notices.map(({ params }) => displayNotice.parse(params));
}

test("bytes are shown as the image they are", async () => {
  const png = [137, 80, 78, 71, 13, 10, 26, 10, 1];
  const [first, second, third] = await shown(
    `display(new Uint8Array([${png}])); display(Buffer.from("GIF89a;")); display(new Uint8Array([1, 2]))`,
  );
  expect(first!.data["image/png"]).toEqual(new Uint8Array(png));
  expect(first!.data["text/plain"]).toBe("<image/png, 9 bytes>");
  expect(second!.data["image/gif"]).toBeInstanceOf(Uint8Array);
  expect(Object.keys(third!.data)).toEqual(["text/plain"]);
});

test("HTML, MIME bundles and SVG are shown as they are", async () => {
  const [html, bundle, svg] = await shown(
    'display({ html: "<b>1</b>" }); display({ "text/markdown": "**1**", "application/json": { a: 1 } }); display("<svg></svg>")',
  );
  expect(html!.data).toEqual({ "text/html": "<b>1</b>" });
  expect(bundle!.data).toEqual({ "text/markdown": "**1**", "application/json": '{"a":1}' });
  expect(svg!.data["image/svg+xml"]).toBe("<svg></svg>");
});

test("records are shown as a table, whose text is escaped", async () => {
  const [table] = await shown('display([{ a: 1, b: "<x>" }, { a: 22, c: null }])');
  expect(table!.data["text/plain"]).toBe("a   b    c\n1   <x>\n22");
  expect(table!.data["text/html"]).toContain("<td>&#60;x&#62;</td>");
});

test("a part that is too large is left out and told; so are displays beyond the limit", async () => {
  const [large] = await shown('display({ html: "x".repeat(600), text: "short" })');
  expect(large).toMatchObject({ data: { "text/plain": "short" }, dropped: [{ mime: "text/html", bytes: 600 }] });
  host.notices.length = 0;
  const { stderr } = await host.cell("for (let i = 0; i < 9; i++) display(i)");
  expect(host.notices).toHaveLength(3);
  expect(stderr).toBe("display: only the first 3 of a cell are shown.\n");
});

test("a display belongs to its cell", async () => {
  await host.cell("1");
  await host.cell("display('x')");
  expect(host.notices[0]!.cell).toBeGreaterThan(1);
});

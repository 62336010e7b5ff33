import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { type ApprovalsHandler, openApprovalsHandler, type Session } from "../../src/index.js";
import { openShop } from "./open-shop.js";

const token = "a-token-of-the-test's-own";
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A real server around the handler, as anyone would mount it. */
async function serve(handler: ApprovalsHandler): Promise<string> {
  const server: Server = createServer(async (request, response) => {
    const body = request.method === "GET" ? undefined : (Readable.toWeb(request) as ReadableStream<Uint8Array>);
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? "GET",
        headers: request.headers as Record<string, string>,
        ...(body === undefined ? {} : { body, duplex: "half" }),
      }),
    );
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), connection: "close" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/agents/7/approvals`;
}

async function start(): Promise<{ session: Session; handler: ApprovalsHandler; url: string }> {
  const shop = openShop({ policy: { rules: [{ action: "ask", effect: "write", tool: "*order" }] } });
  closing.push(() => shop.session.close());
  const handler = openApprovalsHandler(shop.session.approvals, { token });
  closing.push(() => handler.close());
  return { session: shop.session, handler, url: await serve(handler) };
}

const headers = { authorization: `Bearer ${token}` };
const waiting = async (url: string) => {
  const answer = await fetch(`${url}?wait_ms=20000`, { headers });
  return ((await answer.json()) as { approvals: { id: string; tool: string; args: unknown }[] }).approvals;
};
const send = (url: string, id: string, body: unknown) =>
  fetch(`${url}/${id}`, { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) });

describe("deciding over HTTP", () => {
  it("tells what waits, lets one decide, and tells a second that it is too late [A4]", async () => {
    const { session, url } = await start();
    const running = session.run("tools.shop.place_order(item='tea', token='t')");
    const [request] = await waiting(url);
    expect(request).toMatchObject({ tool: "shop_tools.place-order", args: { item: "tea" } });
    expect((await send(url, request!.id, { decision: "allow", by: "ada" })).status).toBe(204);
    expect(await running).toMatchObject({ status: "completed" });
    const late = await send(url, request!.id, { decision: "deny" });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ error: { code: "approval/not-pending" } });
  });

  it("refuses what is no decision and has the call wait on", async () => {
    const { session, url, handler } = await start();
    const running = session.run("tools.shop.place_order(item='tea', token='t')");
    const [request] = await waiting(url);
    for (const body of [
      "{",
      '"allow"',
      { decision: "alow" },
      { decision: "allow", scope: "ever" },
      "x".repeat(2 ** 21),
    ]) {
      const answer = await send(url, request!.id, body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { code: "approval/invalid-decision" } });
    }
    const endless = new Request(`${url}/${request!.id}`, { method: "POST", headers, body: "x".repeat(2 ** 21) });
    expect((await handler.fetch(endless)).status).toBe(400);
    expect(await waiting(url)).toHaveLength(1);
    await send(url, request!.id, { decision: "deny", reason: "not today" });
    expect((await running).toolCalls[0]?.error).toMatchObject({
      code: "approval/denied",
      message: expect.stringContaining("not today"),
    });
  });

  it("answers nothing at all without the token, and is not opened without one", async () => {
    const { session, url } = await start();
    for (const authorization of [undefined, "Bearer ", "Bearer wrong", `Basic ${token}`, token]) {
      const answer = await fetch(url, authorization === undefined ? {} : { headers: { authorization } });
      expect([answer.status, await answer.text()]).toEqual([401, ""]);
    }
    expect((await fetch(`${url}/x/y`, { headers })).status).toBe(404);
    for (const short of ["", "short", undefined as unknown as string])
      expect(() => openApprovalsHandler(session.approvals, { token: short })).toThrow(/at least 16 characters/);
  });

  it("no longer holds calls up once it is closed", async () => {
    const shop = openShop({ policy: { rules: [{ action: "ask", effect: "write", tool: "*order" }] } });
    closing.push(() => shop.session.close());
    openApprovalsHandler(shop.session.approvals, { token }).close();
    const outcome = await shop.session.run("tools.shop.place_order(item='tea', token='t')");
    expect(outcome.toolCalls[0]?.error).toMatchObject({ code: "approval/no-decider" });
  });
});

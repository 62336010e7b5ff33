import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { ArtificerError } from "@artificer/protocol";
import { upgradeTo } from "./server-messages.js";

/** Where a kernel server is. */
export type ServerAddress = { socketPath: string } | { url: URL };

/** @throws ArtificerError `executor/unsupported` for what is no address, or one that would send the token in the clear */
export function serverAddress(text: string): ServerAddress {
  const path = /^unix:(\/.*)$/.exec(text)?.[1];
  if (path !== undefined) return { socketPath: path };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ArtificerError(
      "executor/unsupported",
      `A kernel server is reached by https, http or unix, not by ${text}.`,
      {
        hint: "For example http://127.0.0.1:8787, https://kernels.example.org, or unix:/run/artificer/kernels.",
      },
    );
  }
  if (url.protocol === "http:" && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) {
    throw new ArtificerError(
      "executor/unsupported",
      `By ${url.origin} the token would go over the network in the clear.`,
      {
        hint: "Put the server behind https, or reach it through a tunnel that ends on this machine.",
      },
    );
  }
  return { url };
}

/** What a server says of itself. */
export interface ServerFacts {
  languages: string[];
  /** Whether each kernel has a user of its own. */
  apart?: boolean;
}

interface RequestOptions {
  token: string;
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

/** Asks the server what it runs. @throws ArtificerError `executor/unavailable`, `executor/unauthorized` */
export function askServer(address: ServerAddress, options: RequestOptions): Promise<ServerFacts> {
  return new Promise((resolve, reject) => {
    const request = begin(address, "/", {}, options, reject);
    request.on("response", (response) => {
      if (response.statusCode !== 200) return reject(refusal(response, address));
      let body = "";
      response.on("data", (chunk) => (body += chunk)).on("end", () => resolve(JSON.parse(body) as ServerFacts));
    });
    request.end();
  });
}

/** A connection that is to carry one kernel. @throws ArtificerError `executor/unavailable`, `executor/unauthorized` */
export function openConnection(
  address: ServerAddress,
  options: RequestOptions,
): Promise<{ socket: Socket; head: Uint8Array }> {
  return new Promise((resolve, reject) => {
    const request = begin(address, "/kernels", { Connection: "Upgrade", Upgrade: upgradeTo }, options, reject);
    request.on("response", (response) => reject(refusal(response, address)));
    request.on("upgrade", (_response, socket, head) => {
      socket.setTimeout(0);
      resolve({ socket: socket as Socket, head });
    });
    request.end();
  });
}

function begin(
  address: ServerAddress,
  path: string,
  headers: Record<string, string>,
  { token, signal, timeoutMs }: RequestOptions,
  reject: (error: unknown) => void,
): http.ClientRequest {
  const own = {
    path,
    agent: false as const,
    timeout: timeoutMs,
    headers: { ...headers, Authorization: `Bearer ${token}` },
  };
  const request =
    "url" in address
      ? (address.url.protocol === "https:" ? https : http).request(new URL(path, address.url), own)
      : http.request({ ...own, socketPath: address.socketPath });
  const withdrawn = () => request.destroy(signal?.reason as Error);
  signal?.addEventListener("abort", withdrawn, { once: true });
  request.on("close", () => signal?.removeEventListener("abort", withdrawn));
  request.on("timeout", () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
  request.on("error", (cause) => reject(signal?.aborted ? signal.reason : unavailable(address, cause.message, cause)));
  return request;
}

function refusal(response: http.IncomingMessage, address: ServerAddress): ArtificerError {
  response.resume();
  if (response.statusCode === 401) {
    return new ArtificerError("executor/unauthorized", `The kernel server at ${nameOf(address)} refuses the token.`, {
      hint: "Give the token that the server was started with.",
    });
  }
  const full = response.statusCode === 503;
  return unavailable(address, full ? "it runs as many kernels as it may" : `it answered ${response.statusCode}`);
}

function unavailable(address: ServerAddress, why: string, cause?: unknown): ArtificerError {
  return new ArtificerError("executor/unavailable", `The kernel server at ${nameOf(address)} can't be used: ${why}.`, {
    hint: "See whether its container runs, and whether this is its address.",
    ...(cause === undefined ? {} : { cause }),
  });
}

function nameOf(address: ServerAddress): string {
  return "url" in address ? address.url.origin : `unix:${address.socketPath}`;
}

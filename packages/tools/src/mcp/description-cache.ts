import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { McpDefinition } from "./mcp-definition.js";
import { type ServerDescription, serverDescription } from "./server-description.js";

/** Keeps what servers say about themselves, so that a session can list their tools without starting them. */
export interface DescriptionCache {
  /** What was kept under that key; anything unreadable counts as nothing. */
  load(key: string): Promise<ServerDescription | undefined>;
  save(key: string, description: ServerDescription): Promise<void>;
}

/** Descriptions as JSON files in a folder, which is made when first needed. A write shows whole or not at all. */
export function createFileDescriptionCache(directory: string): DescriptionCache {
  const fileOf = (key: string) => join(directory, `${key}.json`);
  return {
    async load(key) {
      try {
        return serverDescription.parse(JSON.parse(await readFile(fileOf(key), "utf8")));
      } catch {
        return undefined;
      }
    },
    async save(key, description) {
      await mkdir(directory, { recursive: true });
      const draft = join(directory, `.${key}.${process.pid}.${Math.random().toString(36).slice(2)}`);
      try {
        await writeFile(draft, JSON.stringify(description));
        await rename(draft, fileOf(key));
      } finally {
        await rm(draft, { force: true });
      }
    },
  };
}

/** Under which key a server's description is kept: another command, argument or address is another server. */
export function descriptionKey({ name, command, args, url, cwd, protocol }: McpDefinition): string {
  const facts = JSON.stringify([name, command, args, url, cwd, protocol]);
  return createHash("sha256").update(facts).digest("hex").slice(0, 32);
}

import { hidePasswords } from "../../storage/hide-passwords.js";
import { driver } from "../../storage/open-storage.js";
import type { PredecessorItem, PredecessorSource } from "./predecessor-source.js";

/**
 * Reads what py-code-mode kept in Redis under a prefix: the hash of skills, the artifacts with their index, the hash of tools, the
 * set of deps. Its command line put tools, skills and deps under a prefix of their own, so those names are looked at as well.
 */
export async function readPredecessorRedis(url: string, prefix: string): Promise<PredecessorSource> {
  const { openRedisKeys } = await driver("@artificer/storage-redis", () => import("@artificer/storage-redis"));
  const keys = await openRedisKeys({ url });
  const location = `py-code-mode+${hidePasswords(url)}?prefix=${prefix}`;
  async function* items(): AsyncGenerator<PredecessorItem> {
    const seen = new Set<string>();
    for (const key of [`${prefix}:skills:__skills__`, `${prefix}:__skills__`]) {
      for (const [name, value] of await keys.hash(key)) {
        if (seen.has(`skill ${name}`)) continue;
        seen.add(`skill ${name}`);
        const { source, description } = parseObject(value);
        yield {
          kind: "skill",
          name,
          source: key,
          text: typeof source === "string" ? source : "",
          ...described(description),
        };
      }
    }
    for (const key of [`${prefix}:tools:__tools__`, `${prefix}:__tools__`]) {
      for (const [name, value] of await keys.hash(key)) {
        if (seen.has(`tool ${name}`)) continue;
        seen.add(`tool ${name}`);
        // JSON is YAML.
        yield { kind: "tool", name, source: key, text: value.toString("utf8") };
      }
    }
    for (const key of [`${prefix}:deps:deps`, `${prefix}:deps`]) {
      const members = await keys.set(key);
      const text = members
        .map((member) => `${member.toString("utf8")}\n`)
        .sort()
        .join("");
      if (text !== "") yield { kind: "deps", name: "requirements.txt", source: key, text };
    }
    const index = `${prefix}:artifacts:__index__`;
    for (const [name, value] of await keys.hash(index)) {
      const bytes = await keys.bytes(`${prefix}:artifacts:${name}`);
      const { description, metadata, created_at } = parseObject(value);
      const noted =
        typeof metadata === "object" && metadata !== null ? { metadata: metadata as Record<string, unknown> } : {};
      if (bytes === undefined) continue;
      yield {
        kind: "artifact",
        name,
        source: index,
        bytes,
        ...described(description),
        ...noted,
        ...(typeof created_at === "string" ? { createdAt: created_at } : {}),
      };
    }
  }
  return { location, items: items(), close: () => keys.close() };
}

function described(description: unknown): { description?: string } {
  return typeof description === "string" && description !== "" ? { description } : {};
}

function parseObject(value: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(value.toString("utf8"));
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

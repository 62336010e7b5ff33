import type { Storage } from "@artificer/protocol";
import { inspectItem, type PlannedItem, skillContentHash } from "@artificer/runtime";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Larger things are told by their sizes alone. In bytes. */
const maxTextBytes = 1024 * 1024;

/** How the text of an item differs between two stores, as unified diffs. */
export interface TextDifference {
  /** From the side that would be written to the other: what a transfer would change. From there to here where nobody is known to be newer. */
  patch?: string;
  /** Where both changed: from the text that both last had to that of each side. */
  threeWay?: { here: string; there: string };
  /** Why there is no patch, or no common text to compare with. */
  note?: string;
}

interface Sides {
  local: Storage;
  remote: Storage;
  signal?: AbortSignal | undefined;
}

/** Compares what two stores have of an item, and where it is in conflict with what they last had in common, which a skill's versions tell. */
export async function diffTexts(item: PlannedItem, { local, remote, signal }: Sides): Promise<TextDifference> {
  const [here, there] = await Promise.all([textOf(local, item.id, signal), textOf(remote, item.id, signal)]);
  const noText = [here, there].find((side) => "not" in side);
  if (noText !== undefined)
    return { note: `${describe(here)} here, ${describe(there)} there: no text that is compared` };
  const [ours, theirs] = [here as Text, there as Text];
  const patchOf = (from: [string, Text], to: [string, Text]) =>
    createTwoFilesPatch(
      `${from[0]}/${from[1].key ?? item.id}`,
      `${to[0]}/${to[1].key ?? item.id}`,
      from[1].text,
      to[1].text,
      undefined,
      undefined,
      { headerOptions: FILE_HEADERS_ONLY },
    );
  if (item.action === "to-local" || item.action === "delete-local")
    return { patch: patchOf(["here", ours], ["there", theirs]) };
  const patch = patchOf(["there", theirs], ["here", ours]);
  if (item.action !== "conflict") return { patch };
  const common = await commonText(item, { local, remote, signal });
  if (common === undefined) return { patch, note: "the text that both last had is not kept" };
  return {
    patch,
    threeWay: {
      here: patchOf(["common", common], ["here", ours]),
      there: patchOf(["common", common], ["there", theirs]),
    },
  };
}

interface Text {
  text: string;
  key?: string;
}

/** An item that is not there is the empty text. */
async function textOf(storage: Storage, id: string, signal: AbortSignal | undefined): Promise<Text | { not: string }> {
  const item = await inspectItem(storage, id, signal && { signal });
  if (item === undefined) return { text: "" };
  if (item.bytes > maxTextBytes) return { not: `${item.bytes} bytes` };
  const text = await readText(storage, item.key, signal);
  return text === undefined ? { not: `${item.bytes} bytes that are no text` } : { text, key: item.key };
}

function describe(side: Text | { not: string }): string {
  if ("not" in side) return side.not;
  return side.key === undefined ? "nothing" : `a text of ${Buffer.byteLength(side.text)} bytes`;
}

/** Undefined where there is nothing, or no text. */
async function readText(storage: Storage, key: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const blob = await storage.blobs.read(key, { signal });
  if (blob === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of blob.bytes) chunks.push(chunk);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The version of a skill that both last had: the one that was noted when they met, else the latest that both have. */
async function commonText(item: PlannedItem, { local, remote, signal }: Sides): Promise<Text | undefined> {
  if (item.kind !== "skills") return undefined;
  const [ours, theirs] = await Promise.all([versionsOf(local, item.id, signal), versionsOf(remote, item.id, signal)]);
  if (item.base !== undefined) return [...ours, ...theirs].find(({ hash }) => hash === item.base);
  const known = new Set(theirs.map(({ hash }) => hash));
  return ours.find(({ hash }) => known.has(hash));
}

/** The latest first. */
async function versionsOf(
  storage: Storage,
  id: string,
  signal: AbortSignal | undefined,
): Promise<(Text & { hash: string })[]> {
  const prefix = `skill-versions/${id.slice("skills/".length)}/`;
  const found: (Text & { hash: string; number: number })[] = [];
  let cursor: string | undefined;
  do {
    const page = await storage.blobs.list(prefix, { cursor, signal });
    for (const { key } of page.items) {
      const text = await readText(storage, key, signal);
      if (text !== undefined)
        found.push({ text, key, hash: skillContentHash(text), number: Number.parseInt(key.slice(prefix.length), 10) });
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found.sort((left, right) => right.number - left.number);
}

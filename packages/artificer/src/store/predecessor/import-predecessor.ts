import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JsonObject, keyProblem, type Storage, toArtificerError } from "@artificer/protocol";
import type { StorePeer } from "@artificer/runtime";
import { openFileStorage } from "@artificer/storage-file";
import { mendSkill } from "./mend-skill.js";
import { mendTool } from "./mend-tool.js";
import type { ImportedItem, PredecessorItem, PredecessorSource } from "./predecessor-source.js";

/** What another program kept, as a store of ours to bring over from. */
export interface PredecessorStore extends StorePeer {
  items: ImportedItem[];
  close(): Promise<void>;
}

/** Reads everything of a source into a store of its own, mended where it differs. Nothing that can't be is lost silently: see `items`. */
export async function openPredecessor(source: PredecessorSource): Promise<PredecessorStore> {
  const folder = await mkdtemp(join(tmpdir(), "artificer-import-"));
  const storage = await openFileStorage(folder, { fsync: false });
  const close = async () => {
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const items: ImportedItem[] = [];
    for await (const item of source.items) items.push(await take(storage, item));
    return { storage, location: source.location, items, close };
  } catch (thrown) {
    await close();
    throw thrown;
  } finally {
    await source.close();
  }
}

async function take(storage: Storage, item: PredecessorItem): Promise<ImportedItem> {
  const told = { kind: item.kind, name: item.name, source: item.source };
  try {
    const { id, notes } = await converters[item.kind](storage, item);
    return { ...told, id, notes };
  } catch (thrown) {
    const { message, hint } = toArtificerError(thrown, "store/damaged");
    return { ...told, notes: [`left out: ${message}`, ...(hint === undefined ? [] : [hint])] };
  }
}

type Converter = (storage: Storage, item: PredecessorItem) => Promise<{ id: string; notes: string[] }>;

const converters: Record<PredecessorItem["kind"], Converter> = {
  async skill(storage, { name, text = "", description }) {
    const mended = mendSkill(name, text, description);
    if (!/^(?:async\s+)?def\s+run\b/m.test(text))
      mended.notes.push("it has no function run, and can't be called before it has");
    await storage.blobs.write(`skills/${mended.name}.py`, Buffer.from(mended.text), { ifRevision: null });
    return { id: `skills/${mended.name}`, notes: mended.notes };
  },

  async tool(storage, { name, text = "", source }) {
    const mended = await mendTool(text, source);
    const id = `tools/${mended.name.replace(/[^\p{L}\p{N}_-]+/gu, "_") || name}.yaml`;
    await storage.blobs.write(id, Buffer.from(mended.text), { ifRevision: null });
    return { id, notes: mended.notes };
  },

  async deps(storage, { text = "" }) {
    const known = await storage.blobs.read("requirements.txt");
    const chunks: Uint8Array[] = [];
    if (known !== undefined) for await (const chunk of known.bytes) chunks.push(chunk);
    const lines = Buffer.concat(chunks)
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
    const more = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !lines.includes(line));
    const all = [...lines, ...more].map((line) => `${line}\n`).join("");
    await storage.blobs.write("requirements.txt", Buffer.from(all));
    return { id: "requirements.txt", notes: lines.length > 0 ? ["both lists were put into one"] : [] };
  },

  async artifact(storage, { name, bytes = new Uint8Array(), description, metadata = {}, createdAt }) {
    const notes: string[] = [];
    const { _data_type: type, ...own } = metadata;
    const problem = keyProblem(name);
    const plain =
      problem === undefined
        ? name
        : name
            .split(/[/\\]+/)
            .map((part) => part.trim().replace(/^\.+/, ""))
            .filter(Boolean)
            .join("/");
    if (plain !== name) notes.push(`it is called ${plain} here: ${problem}`);
    const kind = kindOf(type, bytes);
    if (type === "json" && kind !== "json") notes.push("it was noted as JSON and is none; it is text here");
    const noted = { ...own, ...(createdAt === undefined ? {} : { created_at: createdAt }) } as JsonObject;
    await storage.blobs.write(`artifacts/${plain}`, bytes, {
      ifRevision: null,
      metadata: {
        ...(kind === undefined ? {} : { kind }),
        ...(description === undefined ? {} : { description }),
        ...(Object.keys(noted).length === 0 ? {} : { metadata: noted }),
      },
    });
    return { id: `artifacts/${plain}`, notes };
  },
};

/** What the index said it is, where its bytes agree; undefined lets name and content tell. */
function kindOf(type: unknown, bytes: Uint8Array): "bytes" | "json" | "text" | undefined {
  if (type === "bytes") return "bytes";
  if (type !== "json" && type !== "text") return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (type === "text") return "text";
    try {
      JSON.parse(text);
      return "json";
    } catch {
      return "text";
    }
  } catch {
    return "bytes";
  }
}

import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import type { PredecessorItem, PredecessorSource } from "./predecessor-source.js";

/**
 * Reads a folder of py-code-mode: `tools/*.yaml`, `skills/*.py`, `artifacts/` with its index, `requirements.txt` and
 * `deps/requirements.txt`.
 *
 * @throws ArtificerError `usage/invalid-argument` when there is no such folder, or nothing of it in it.
 */
export async function readPredecessorFolder(folder: string): Promise<PredecessorSource> {
  const entries = await readdir(folder).catch((cause: unknown) => {
    throw new ArtificerError("usage/invalid-argument", `${folder} can't be read: ${(cause as Error).message}`, {
      cause,
    });
  });
  if (!["tools", "skills", "artifacts", "requirements.txt", "deps"].some((name) => entries.includes(name))) {
    throw new ArtificerError("usage/invalid-argument", `${folder} holds nothing of py-code-mode.`, {
      hint: "Name the folder that has tools/, skills/ or artifacts/ in it.",
    });
  }
  return { location: `py-code-mode:${folder}`, items: itemsIn(folder), close: async () => {} };
}

async function* itemsIn(folder: string): AsyncGenerator<PredecessorItem> {
  for (const name of await filesIn(join(folder, "skills"))) {
    // Private modules and packages are no skills there either.
    if (!/^[^/_.][^/]*\.py$/.test(name)) continue;
    const source = join(folder, "skills", name);
    yield { kind: "skill", name: name.slice(0, -".py".length), source, text: await readFile(source, "utf8") };
  }
  for (const name of await filesIn(join(folder, "tools"))) {
    if (!/^[^/.][^/]*\.ya?ml$/.test(name)) continue;
    const source = join(folder, "tools", name);
    yield { kind: "tool", name: name.replace(/\.ya?ml$/, ""), source, text: await readFile(source, "utf8") };
  }
  for (const name of ["requirements.txt", join("deps", "requirements.txt")]) {
    const text = await readFile(join(folder, name), "utf8").catch(() => undefined);
    if (text !== undefined) yield { kind: "deps", name: "requirements.txt", source: join(folder, name), text };
  }
  yield* artifactsIn(join(folder, "artifacts"));
}

async function* artifactsIn(folder: string): AsyncGenerator<PredecessorItem> {
  const indexText = await readFile(join(folder, ".artifacts.json"), "utf8").catch(() => "{}");
  const index = parseIndex(indexText);
  for (const name of await filesIn(folder)) {
    if (name.split("/").some((segment) => segment.startsWith("."))) continue;
    const source = join(folder, name);
    const chunks: Uint8Array[] = [];
    for await (const chunk of createReadStream(source)) chunks.push(chunk as Uint8Array);
    const { description, metadata, created_at } = index[name] ?? {};
    yield {
      kind: "artifact",
      name,
      source,
      bytes: Buffer.concat(chunks),
      ...(typeof description === "string" && description !== "" ? { description } : {}),
      ...(typeof metadata === "object" && metadata !== null ? { metadata: metadata as Record<string, unknown> } : {}),
      ...(typeof created_at === "string" ? { createdAt: created_at } : {}),
    };
  }
}

function parseIndex(text: string): Record<string, Record<string, unknown>> {
  try {
    const index: unknown = JSON.parse(text);
    return typeof index === "object" && index !== null ? (index as Record<string, Record<string, unknown>>) : {};
  } catch {
    // Without its index an artifact is a file with a name.
    return {};
  }
}

/** Plain files below a folder, by their paths in it; links are not followed. */
async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names: string[] = [];
  for (const entry of found) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && (await stat(path)).isFile()) names.push(relative(folder, path).replaceAll("\\", "/"));
  }
  return names.sort();
}

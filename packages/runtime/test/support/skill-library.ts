import { ArtificerError, type Storage } from "@artificer/protocol";
import { openSkillLibrary, type SkillLibraryOptions } from "../../src/skills/open-skill-library.js";
import { createAnalyzer } from "./analyze.js";
import { createCountingStorage } from "./memory-storage.js";
import { createWordEmbedder } from "./word-embedder.js";

export const python = (body = "return 1", parameters = "") => `def run(${parameters}):\n    ${body}\n`;

export async function openLibrary(options: Partial<SkillLibraryOptions> = {}) {
  const storage = createCountingStorage();
  const embedder = createWordEmbedder();
  const analyzer = createAnalyzer();
  const problems: string[] = [];
  const again = () =>
    openSkillLibrary({
      storage,
      embedder,
      analyze: analyzer.analyze,
      onProblem: (message) => problems.push(message),
      ...options,
    });
  return { storage, embedder, analyzer, problems, again, library: await again() };
}

export const write = (storage: Storage, key: string, text: string) =>
  storage.blobs.write(key, new TextEncoder().encode(text));

export async function read(storage: Storage, key: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await storage.blobs.read(key))!.bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export async function failure(work: Promise<unknown>): Promise<ArtificerError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!ArtificerError.is(error)) throw new Error(`expected an ArtificerError, got ${String(error)}`);
  return error;
}

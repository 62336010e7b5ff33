import { type BlobInfo, type Language, type Storage, storageKey } from "@artificer/protocol";
import { listBlobs } from "../search/stored/list-blobs.js";
import { readBlob } from "../search/stored/read-blob.js";
import { hashOf } from "./hash-of.js";
import type { SkillVersion } from "./skill-library.js";

const extensions: Record<Language, string> = { python: "py", typescript: "ts" };
const folder = "skills";
/** What the keys of all skills begin with. */
export const skillsPrefix = `${folder}/`;
const versionsFolder = "skill-versions";

/** A skill's file as storage knows it, unread. */
export interface SkillFile {
  name: string;
  language: Language;
  info: BlobInfo;
}

/** Where the current text of each skill and its earlier versions are kept: one file a skill, which people may edit. */
export interface SkillFiles {
  list(): Promise<{ files: SkillFile[]; strays: string[] }>;
  find(name: string): Promise<SkillFile[]>;
  read(file: SkillFile): Promise<{ info: BlobInfo; text: string } | undefined>;
  /** @throws ArtificerError `storage/conflict` when the stored revision is another than `ifRevision`. */
  write(name: string, language: Language, text: string, ifRevision: string | null): Promise<BlobInfo>;
  delete(file: SkillFile): Promise<boolean>;
  versions(name: string): Promise<SkillVersion[]>;
  readVersion(name: string, version: SkillVersion): Promise<string | undefined>;
  /** @throws ArtificerError `storage/conflict` when there is such a version already. */
  writeVersion(name: string, language: Language, version: number, text: string): Promise<void>;
  deleteVersion(name: string, language: Language, version: number): Promise<void>;
}

export function createSkillFiles({ blobs }: Storage): SkillFiles {
  const keyOf = (name: string, language: Language) => storageKey(`${folder}/${name}.${extensions[language]}`);
  const versionKey = (name: string, language: Language, version: number) =>
    storageKey(`${versionsFolder}/${name}/${version}.${extensions[language]}`);
  const readText = async (key: string) => {
    const blob = await readBlob(blobs, key);
    return blob && { info: blob.info, text: new TextDecoder().decode(blob.bytes) };
  };

  return {
    async list() {
      const files: SkillFile[] = [];
      const strays: string[] = [];
      for (const info of await listBlobs(blobs, skillsPrefix)) {
        const path = info.key.slice(folder.length + 1);
        const [, name, extension] = /^([^/]+)\.([^./]+)$/.exec(path) ?? [];
        const language = languageOf(extension);
        // What begins with an underscore is a helper or a cache of its language, by both languages' custom.
        if (path.split("/").some((segment) => segment.startsWith("_"))) continue;
        if (name !== undefined && language !== undefined) files.push({ name, language, info });
        else if (/\.(py|ts)$/.test(path)) strays.push(info.key);
      }
      return { files, strays };
    },
    async find(name) {
      const found: SkillFile[] = [];
      for (const language of Object.keys(extensions) as Language[]) {
        const info = await blobs.stat(keyOf(name, language));
        if (info !== undefined) found.push({ name, language, info });
      }
      return found;
    },
    read: (file) => readText(file.info.key),
    write: (name, language, text, ifRevision) =>
      blobs.write(keyOf(name, language), new TextEncoder().encode(text), { ifRevision }),
    delete: (file) => blobs.delete(file.info.key, { ifRevision: file.info.revision }),
    async versions(name) {
      const stored = await listBlobs(blobs, `${versionsFolder}/${name}/`);
      const versions = stored.flatMap((info): SkillVersion[] => {
        const [, number, extension] = /\/(\d+)\.([^./]+)$/.exec(info.key) ?? [];
        const language = languageOf(extension);
        if (number === undefined || language === undefined) return [];
        const hash = typeof info.metadata.hash === "string" ? info.metadata.hash : "";
        return [{ version: Number(number), language, hash, bytes: info.size, savedAt: info.updatedAt }];
      });
      return versions.sort((left, right) => left.version - right.version);
    },
    readVersion: async (name, { language, version }) => (await readText(versionKey(name, language, version)))?.text,
    async writeVersion(name, language, version, text) {
      const bytes = new TextEncoder().encode(text);
      await blobs.write(versionKey(name, language, version), bytes, {
        ifRevision: null,
        metadata: { hash: hashOf(text) },
      });
    },
    async deleteVersion(name, language, version) {
      await blobs.delete(versionKey(name, language, version));
    },
  };
}

function languageOf(extension: string | undefined): Language | undefined {
  return (Object.keys(extensions) as Language[]).find((language) => extensions[language] === extension);
}

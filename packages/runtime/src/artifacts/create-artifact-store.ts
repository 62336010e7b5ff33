import { ArtificerError, type BlobInfo, nearestNames, type Storage } from "@artificer/protocol";
import { artifactContent, artifactValue, kindOfFile, utf8Text } from "./artifact-content.js";
import { artifactKey, artifactPrefix } from "./artifact-key.js";
import { artifactInfo, blobMetadata, keptKind } from "./artifact-metadata.js";
import type { ArtifactInfo, ArtifactKind, ArtifactSaveOptions, ArtifactStore } from "./artifact-store.js";

/** Kinds of files put there by hand that are remembered; beyond it the oldest are looked at again. */
const maxRemembered = 10_000;

/** Artifacts as blobs under `artifacts/`. A file that somebody put there is an artifact as well: its kind is seen from its name and content. */
export function createArtifactStore({
  storage,
  maySee = async () => true,
}: {
  storage: Storage;
  /** Whether whoever uses the store may see the artifact of this name; what they may not is not there for them. */
  maySee?: (name: string) => Promise<boolean>;
}): ArtifactStore {
  const { blobs } = storage;
  const seenKinds = new Map<string, ArtifactKind>();

  const readBytes = async (key: string): Promise<{ info: BlobInfo; bytes: Uint8Array } | undefined> => {
    const blob = await blobs.read(key);
    if (blob === undefined) return undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of blob.bytes) chunks.push(chunk);
    return { info: blob.info, bytes: new Uint8Array(Buffer.concat(chunks)) };
  };

  const kindOf = async (info: BlobInfo): Promise<ArtifactKind> => {
    const kept = keptKind(info);
    if (kept !== undefined) return kept;
    const id = `${info.revision} ${info.key}`;
    const seen = seenKinds.get(id);
    if (seen !== undefined) return seen;
    const read = await readBytes(info.key);
    const kind = kindOfFile(info.key, read && utf8Text(read.bytes));
    if (read?.info.revision === info.revision) {
      seenKinds.set(id, kind);
      if (seenKinds.size > maxRemembered) seenKinds.delete(seenKinds.keys().next().value as string);
    }
    return kind;
  };

  const listBlobs = async (prefix: string): Promise<BlobInfo[]> => {
    const found: BlobInfo[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await blobs.list(prefix, cursor === undefined ? {} : { cursor });
      found.push(...page.items);
      cursor = page.cursor;
      if (cursor === undefined) return found;
    }
  };

  const notFound = async (name: string): Promise<ArtificerError> => {
    const names: string[] = [];
    for (const info of await listBlobs(artifactPrefix)) if (await maySee(nameOf(info))) names.push(nameOf(info));
    const nearest = nearestNames(name, names);
    const hint =
      nearest.length > 0
        ? `Did you mean ${nearest.map((near) => JSON.stringify(near)).join(" or ")}?`
        : names.length > 0
          ? "artifacts.list() names those there are."
          : "None is saved yet; artifacts.save(name, value) saves one.";
    return new ArtificerError("artifact/not-found", `There is no artifact ${JSON.stringify(name)}.`, {
      details: { name, nearest },
      hint,
    });
  };

  return {
    async save(name, value, options = {}) {
      const key = artifactKey(name);
      if (!(await maySee(name))) throw denied(name);
      const content = artifactContent(name, value);
      try {
        const info = await blobs.write(key, content.bytes, {
          metadata: blobMetadata(content, options),
          signal: options.signal,
          ...condition(options),
        });
        return artifactInfo(info, content.kind);
      } catch (error) {
        throw asArtifactError(error, name, options);
      }
    },

    async load(name) {
      const key = artifactKey(name);
      const read = (await maySee(name)) ? await readBytes(key) : undefined;
      if (read === undefined) throw await notFound(name);
      const kind = keptKind(read.info) ?? kindOfFile(name, utf8Text(read.bytes));
      return artifactValue(name, kind, read.bytes);
    },

    async get(name) {
      const key = artifactKey(name);
      const info = (await maySee(name)) ? await blobs.stat(key) : undefined;
      if (info === undefined) throw await notFound(name);
      return artifactInfo(info, await kindOf(info));
    },

    async list({ prefix = "" } = {}) {
      const listed: ArtifactInfo[] = [];
      for (const info of await listBlobs(artifactPrefix + prefix)) {
        if (await maySee(nameOf(info))) listed.push(artifactInfo(info, await kindOf(info)));
      }
      return listed;
    },

    async exists(name) {
      const key = artifactKey(name);
      return (await maySee(name)) && (await blobs.stat(key)) !== undefined;
    },

    async delete(name) {
      const key = artifactKey(name);
      return (await maySee(name)) && blobs.delete(key);
    },
  };
}

function nameOf({ key }: BlobInfo): string {
  return key.slice(artifactPrefix.length);
}

function denied(name: string): ArtificerError {
  return new ArtificerError("artifact/denied", `${JSON.stringify(name)} lies among what another session keeps.`, {
    details: { name },
    hint: "Save it under a name that does not begin with outputs/.",
  });
}

function condition({ ifAbsent, ifRevision }: ArtifactSaveOptions): { ifRevision?: string | null } {
  if (ifAbsent && ifRevision !== undefined) {
    throw new ArtificerError("usage/invalid-argument", "ifAbsent and ifRevision exclude each other.", {
      hint: "Give ifAbsent to save only what is new, or ifRevision to replace only that version.",
    });
  }
  if (ifAbsent) return { ifRevision: null };
  return ifRevision === undefined ? {} : { ifRevision };
}

function asArtifactError(error: unknown, name: string, { ifAbsent }: ArtifactSaveOptions): unknown {
  if (!ArtificerError.is(error, "storage/conflict")) return error;
  const { expected, actual } = error.details;
  const quoted = JSON.stringify(name);
  if (ifAbsent) {
    return new ArtificerError("artifact/exists", `There is an artifact ${quoted} already; it was not replaced.`, {
      details: { name, revision: actual },
      hint: "Choose another name, or save without ifAbsent to replace it.",
      cause: error,
    });
  }
  return new ArtificerError(
    "artifact/conflict",
    `The artifact ${quoted} was changed by somebody else; it was not replaced.`,
    {
      details: { name, expected, actual },
      hint: "Load it again, apply your change to what is there now, and save with its revision.",
      cause: error,
    },
  );
}

import type { JsonObject, Value } from "@artificer/protocol";
import { z } from "zod";
import type { ArtifactInfo } from "../artifacts/artifact-store.js";
import type { Handler } from "./handle-context.js";
import { parseParams } from "./parse-params.js";

const named = z.object({ name: z.string() });

const plain = ({ name, kind, contentType, bytes, revision, description, metadata, updatedAt }: ArtifactInfo) => ({
  name,
  kind,
  contentType,
  bytes,
  revision,
  description: description ?? null,
  metadata,
  updatedAt,
});

const save: Handler = async ({ artifacts }, params, { withdrawal }) => {
  const schema = z.object({
    name: z.string(),
    value: z.unknown(),
    contentType: z.string().nullish(),
    description: z.string().nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    ifAbsent: z.boolean().nullish(),
    ifRevision: z.string().nullish(),
  });
  const { name, value, metadata, ...rest } = parseParams(schema, params, "artifacts.save");
  const given = Object.fromEntries(Object.entries(rest).filter(([, option]) => option != null));
  const options = {
    ...given,
    ...(metadata == null ? {} : { metadata: metadata as JsonObject }),
    signal: withdrawal.signal,
  };
  return plain(await artifacts.save(name, value as Value, options));
};

const load: Handler = async ({ artifacts }, params) =>
  artifacts.load(parseParams(named, params, "artifacts.load").name);
const get: Handler = async ({ artifacts }, params) =>
  plain(await artifacts.get(parseParams(named, params, "artifacts.get").name));
const exists: Handler = async ({ artifacts }, params) =>
  artifacts.exists(parseParams(named, params, "artifacts.exists").name);
const remove: Handler = async ({ artifacts }, params) =>
  artifacts.delete(parseParams(named, params, "artifacts.delete").name);

const list: Handler = async ({ artifacts }, params) => {
  const { prefix } = parseParams(z.object({ prefix: z.string().nullish() }), params, "artifacts.list");
  return (await artifacts.list(prefix == null ? {} : { prefix })).map(plain);
};

export const artifactHandlers = {
  "artifacts.save": save,
  "artifacts.load": load,
  "artifacts.get": get,
  "artifacts.list": list,
  "artifacts.exists": exists,
  "artifacts.delete": remove,
} as const;

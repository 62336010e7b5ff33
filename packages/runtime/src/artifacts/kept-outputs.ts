import type { BlobInfo, JsonObject, Storage } from "@artificer/protocol";
import { artifactPrefix } from "./artifact-key.js";

/** Where what outcomes and results can't carry is kept, a folder a session. */
const folder = "outputs/";

/** Says that the host kept it, not a user. */
export const keptMark: JsonObject = { artificer: "kept-output" };

/** The name of something kept for a session. */
export function keptName(session: string, rest: string): string {
  return `${folder}${session}/${rest}`;
}

/** The session that an artifact was kept for; undefined for every other artifact. */
export function sessionOfKept(name: string): string | undefined {
  const [first, session, rest] = name.normalize("NFC").split("/", 3);
  return first === "outputs" && rest !== undefined ? session : undefined;
}

/** What was kept, of one session or all: never what a user saved. */
export async function* listKept(
  { blobs }: Storage,
  { session, signal }: { session?: string; signal?: AbortSignal } = {},
): AsyncGenerator<BlobInfo> {
  const prefix = `${artifactPrefix}${session === undefined ? folder : keptName(session, "")}`;
  let cursor: string | undefined;
  do {
    const page = await blobs.list(prefix, { cursor, signal });
    for (const info of page.items) if (isKept(info)) yield info;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

function isKept({ metadata: { metadata } }: BlobInfo): boolean {
  return (
    typeof metadata === "object" &&
    metadata !== null &&
    !Array.isArray(metadata) &&
    metadata.artificer === keptMark.artificer
  );
}

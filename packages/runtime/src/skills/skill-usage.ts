import type { JsonObject, Storage } from "@artificer/protocol";
import { storageKey } from "@artificer/protocol";
import { z } from "zod";
import { createChangeGuard } from "../search/stored/change-guard.js";
import { listRecords } from "../search/stored/list-records.js";
import { updateRecord } from "../search/stored/update-record.js";
import type { SkillLifecycle, SkillUse } from "./skill-library.js";

const usageRecord = z.object({
  /** The version that the streak and the level speak of. */
  version: z.int(),
  level: z.enum(["draft", "tested", "trusted"]),
  okInARow: z.int(),
  uses: z.int(),
  failures: z.int(),
  totalMs: z.number(),
  lastError: z.string().optional(),
  lastUsedAt: z.string(),
});

type Usage = z.infer<typeof usageRecord>;

const folder = "skill-usage";

/** Longest error text kept, in characters. */
const maxErrorChars = 500;

export interface SkillUsageOptions {
  storage: Storage;
  /** Successes in a row that make a skill trusted. */
  trustedAfter: number;
}

/** How skills fared: one success makes a draft tested, a row of them trusted, and each failure takes a step back. */
export interface SkillUsage {
  lifecycle(name: string, version: number): SkillLifecycle;
  /** Takes in what other processes counted. */
  refresh(): Promise<void>;
  /** Counts a run. Runs told while another is being written are written together. */
  record(use: SkillUse): Promise<void>;
}

export async function openSkillUsage({ storage, trustedAfter }: SkillUsageOptions): Promise<SkillUsage> {
  const known = new Map<string, Usage>();
  const guard = createChangeGuard(storage, `${folder}/`);
  const refresh = () =>
    guard.ifChanged(async () => {
      for (const { key, value } of await listRecords(storage.records, `${folder}/`)) {
        const usage = usageRecord.safeParse(value);
        const name = key.slice(folder.length + 1);
        // What was counted here meanwhile is newer than the list.
        if (usage.success && usage.data.uses >= (known.get(name)?.uses ?? 0)) known.set(name, usage.data);
      }
    });
  await refresh();
  const waiting = new Map<string, { uses: SkillUse[]; written: Promise<void> }>();
  const writing = new Map<string, Promise<void>>();

  async function write(name: string, uses: readonly SkillUse[]): Promise<void> {
    const stored = await updateRecord(storage.records, storageKey(`${folder}/${name}`), (value) => {
      const usage = usageRecord.safeParse(value);
      return uses.reduce((sum, use) => after(sum, use, trustedAfter), usage.data) as JsonObject;
    });
    known.set(name, usageRecord.parse(stored));
  }

  return {
    refresh,
    lifecycle(name, version) {
      const usage = known.get(name);
      return usage?.version === version ? usage.level : "draft";
    },
    record(use) {
      const joined = waiting.get(use.name);
      if (joined !== undefined) {
        joined.uses.push(use);
        return joined.written;
      }
      const uses = [use];
      const before = writing.get(use.name) ?? Promise.resolve();
      const written = before
        .catch(() => {})
        .then(() => {
          waiting.delete(use.name);
          return write(use.name, uses);
        });
      waiting.set(use.name, { uses, written });
      writing.set(use.name, written);
      return written;
    },
  };
}

function after(usage: Usage | undefined, use: SkillUse, trustedAfter: number): Usage {
  const same = usage?.version === use.version;
  // A run of an older version says nothing of the current one.
  if (usage !== undefined && use.version < usage.version) return counted(usage, use);
  const okInARow = use.ok ? (same ? usage.okInARow : 0) + 1 : 0;
  return counted(
    { ...(usage ?? none), version: use.version, okInARow, level: levelAfter(same ? usage.level : "draft") },
    use,
  );

  function levelAfter(level: Usage["level"]): Usage["level"] {
    if (use.ok) return okInARow >= trustedAfter || level === "trusted" ? "trusted" : "tested";
    return level === "trusted" ? "tested" : "draft";
  }
}

function counted(usage: Usage, use: SkillUse): Usage {
  return {
    ...usage,
    uses: usage.uses + 1,
    failures: usage.failures + (use.ok ? 0 : 1),
    totalMs: usage.totalMs + use.ms,
    ...(use.error === undefined ? {} : { lastError: use.error.slice(0, maxErrorChars) }),
    lastUsedAt: new Date().toISOString(),
  };
}

const none: Usage = { version: 0, level: "draft", okInARow: 0, uses: 0, failures: 0, totalMs: 0, lastUsedAt: "" };

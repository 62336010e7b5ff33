import { z } from "zod";

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, "bytes");

const snapshotTag = z.string().regex(/^[0-9a-f]{64}$/, "a tag is a hash of 32 bytes in hexadecimal");

/** Variables saved in one piece, because they share objects. The bytes are opaque to the host. */
export const snapshotGroup = z.object({
  /** Names the bytes by their content. */
  tag: snapshotTag,
  /** Empty for what belongs to no variable of its own: attributes set on functions and classes. */
  names: z.array(z.string()),
  bytes: z.int(),
  /** True when only code that names one of its variables can change it. */
  isolated: z.boolean().default(false),
  /** Absent when the host said that it has them. */
  data: bytes.optional(),
});

/** A variable that was not saved or not restored, and why, in words that can follow its name and a colon. */
export const snapshotFailure = z.object({ name: z.string(), reason: z.string() });

/**
 * How a kernel writes variables. `pickle`: whatever its language can write. `data`: plain data alone, which is made again without
 * running code of anybody's; nothing else is read back either. Definitions are source in both.
 */
export const snapshotFormat = z.enum(["pickle", "data"]);

/** `snapshot.save`: asked between cells; withdrawing it makes the kernel stop early, with `complete: false`. */
export const snapshotSaveParams = z.object({
  /** The tags whose bytes the host has. */
  known: z.array(z.string()),
  maxVariableBytes: z.int(),
  maxTotalBytes: z.int(),
  /** The longest that one variable may take, in milliseconds. */
  maxVariableMs: z.int(),
  /** Variables to leave out, with the reason. */
  exclude: z.record(z.string(), z.string()).default({}),
  format: snapshotFormat.default("pickle"),
});

export const snapshotSaveResult = z.object({
  complete: z.boolean(),
  /** Modules, definitions, working folder, environment: always one piece. */
  facts: z.object({ tag: snapshotTag, bytes: z.int(), data: bytes.optional() }),
  groups: z.array(snapshotGroup),
  /** The names that `facts` holds: modules, functions, classes, handles. */
  names: z.array(z.string()),
  skipped: z.array(snapshotFailure),
  cost: z.object({
    variables: z.int(),
    /** Variables that were looked at, because they may have changed. */
    examined: z.int(),
    pickledBytes: z.int(),
    ms: z.number(),
  }),
});

/** `snapshot.restore`: asked once, before the first cell. Every group has its `data`. */
export const snapshotRestoreParams = z.object({
  facts: bytes,
  groups: z.array(snapshotGroup),
  /** The longest that one variable may take, in milliseconds. */
  maxVariableMs: z.int(),
  format: snapshotFormat.default("pickle"),
});

export const snapshotRestoreResult = z.object({
  restored: z.array(z.string()),
  failed: z.array(snapshotFailure),
});

/** Notice `snapshot`: the variable that is being saved or restored; empty between two. The last one before a kernel's end tells who ended it. */
export const snapshotNotice = z.object({ variable: z.string() });

export type SnapshotFormat = z.infer<typeof snapshotFormat>;
export type SnapshotGroup = z.infer<typeof snapshotGroup>;
export type SnapshotFailure = z.infer<typeof snapshotFailure>;
export type SnapshotSaveParams = z.infer<typeof snapshotSaveParams>;
export type SnapshotSaveResult = z.infer<typeof snapshotSaveResult>;
export type SnapshotRestoreParams = z.infer<typeof snapshotRestoreParams>;
export type SnapshotRestoreResult = z.infer<typeof snapshotRestoreResult>;

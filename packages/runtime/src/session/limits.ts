/** Every bound of a session, with its unit in its name. */
export interface SessionLimits {
  /** A cell's own time: waiting for tools and people does not count. */
  timeoutMs: number;
  /** Waiting for tools and people in one cell. */
  maxWaitingMs: number;
  /** Waiting for the cells before it; a cell that waits longer is refused. Undefined means no bound. */
  maxQueueMs: number | undefined;
  /** From an interrupt to the kill of a kernel that ignores it. */
  graceMs: number;
  /** From a kernel's spawn to its first answer. */
  startTimeoutMs: number;
  /** How long a kernel may be idle before it is ended. Sub-agents' kernels are exempt. */
  kernelIdleTimeoutMs: number;
  /** Kernels kept by all sessions of this process together; beyond it the one unused for longest goes. Busy ones and sub-agents' are exempt. */
  maxSessionKernels: number;
  maxToolCalls: number;
  maxStdoutBytes: number;
  maxStderrBytes: number;
  /** Of one stream, kept as an artifact once the outcome's share is full. */
  maxOutputArtifactBytes: number;
  maxCodeBytes: number;
  /** Encoded size above which a value is told by a reference, and kept as an artifact. */
  maxInlineBytes: number;
  /** Encoded size above which a value stays in the kernel alone. */
  maxValueBytes: number;
  maxReprChars: number;
  /** Head and tail; the whole is kept as an artifact. */
  maxTracebackBytes: number;
  /** Encoded size of one tool's result, as it goes to the cell. */
  maxResultBytes: number;
  /** Encoded size of all the values together that a session's cells share. */
  maxSharedBytes: number;
  /** What a result beyond `maxResultBytes` becomes: an error in the cell, or a reference to an artifact that keeps it. */
  largeResults: "refuse" | "keep";
  maxDisplays: number;
  maxDisplayBytes: number;
  /** Enforced by the operating system where the executor can; undefined means no bound. */
  memoryBytes: number | undefined;
  cpuSeconds: number | undefined;
  processes: number | undefined;
  openFiles: number | undefined;
  fileBytes: number | undefined;
}

export const defaultLimits: SessionLimits = {
  timeoutMs: 300_000,
  maxWaitingMs: 600_000,
  maxQueueMs: undefined,
  graceMs: 2_000,
  startTimeoutMs: 30_000,
  kernelIdleTimeoutMs: 1_800_000,
  maxSessionKernels: 4,
  maxToolCalls: 50,
  maxStdoutBytes: 50_000,
  maxStderrBytes: 10_000,
  maxOutputArtifactBytes: 32 * 2 ** 20,
  maxCodeBytes: 2 ** 20,
  maxInlineBytes: 2 ** 20,
  maxValueBytes: 64 * 2 ** 20,
  maxReprChars: 10_000,
  maxTracebackBytes: 10_000,
  maxResultBytes: 32 * 2 ** 20,
  maxSharedBytes: 256 * 2 ** 20,
  largeResults: "refuse",
  maxDisplays: 20,
  maxDisplayBytes: 10 * 2 ** 20,
  memoryBytes: undefined,
  cpuSeconds: undefined,
  processes: undefined,
  openFiles: undefined,
  fileBytes: undefined,
};

/** Shared words between the kernel's main thread and its watchdog. */
export type Signals = Int32Array;

export const signal = { cell: 0, question: 1 } as const;
export const wordCount = 2;

/** Values of `signal.cell`. */
export const idle = 0;
export const watching = 1;

/**
 * Where a question is, in `signal.question` together with its number: one that arrives late is told from the one that is asked
 * now, and each is answered once or given up once, whichever comes first.
 */
export const phase = { asked: 0, goOn: 1, terminate: 2, ordered: 3 } as const;
export type Phase = (typeof phase)[keyof typeof phase];

/** Numbers start over, far from any that could still be under way. */
export const questionCount = 2 ** 28;

export function wordOf(question: number, at: Phase): number {
  return question * 4 + at;
}

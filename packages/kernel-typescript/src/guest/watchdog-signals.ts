/** Shared words between the kernel's main thread and its watchdog. */
export type Signals = Int32Array;

export const signal = { cell: 0, answer: 1 } as const;
export const wordCount = 2;

/** Values of `signal.cell`. */
export const idle = 0;
export const watching = 1;

/** Values of `signal.answer`. */
export const told = { nothing: 0, goOn: 1, terminate: 2 } as const;

/**
 * Files that are written twice on purpose, since who needs them may import neither the other nor a package that both could: each
 * pair is the same to the letter, and a change of one is a change of both.
 */
export const twins: readonly (readonly [string, string])[] = [
  // Asking a program who it is takes Node's own modules, which the protocol may not use, and kernels import nothing else.
  ["packages/kernel-python/src/ask-program.ts", "packages/kernel-typescript/src/ask-program.ts"],
];

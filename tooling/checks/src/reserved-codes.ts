/** Codes that stand in the table for work that is planned, and that no source uses yet. Using one means removing it here. */
export const reservedCodes: readonly string[] = [
  "artifact/conflict",
  "artifact/exists",
  "artifact/invalid-name",
  "artifact/not-found",
  "artifact/unreadable",
  "executor/unsupported",
  "session/busy",
  "session/not-owner",
  "storage/unsupported",
];

/** Codes that stand in the table for work that is planned, and that no source uses yet. Using one means removing it here. */
export const reservedCodes: readonly string[] = [];

/** What `artificer init` puts into a base, by path in it. */
export const starterFiles: Readonly<Record<string, string>> = {};

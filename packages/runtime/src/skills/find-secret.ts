/** A secret found in source. Its text is not told: messages are kept and shown. */
export interface FoundSecret {
  kind: string;
  line: number;
}

const shapes: readonly [kind: string, shape: RegExp][] = [
  ["a private key", /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})\b/],
  ["a GitLab token", /\bglpat-[A-Za-z0-9_-]{20,}\b/],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ["a Google API key", /\bAIza[0-9A-Za-z_-]{35}\b/],
  ["a Stripe key", /\b[rs]k_live_[0-9a-zA-Z]{16,}\b/],
  ["an API key", /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{24,}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["a signed token (JWT)", /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
  ["a password in an address", /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"'{}$<]+:[^\s/@"'{}$<]{6,}@/i],
];

const assigned =
  /(?:api_?key|secret(?:_?key)?|access_?key|auth_?token|access_?token|token|passwd|password|credential)s?["']?\s*(?::\s*[\w[\], |.]+)?\s*[:=]\s*["'`]([^"'`\s]{16,})["'`]/i;

const placeholder = /example|your|placeholder|change.?me|dummy|sample|x{4,}|\.{3}|\*{3}|[<>{}$]|^https?:/i;

/** The first thing in the source that looks like a secret: of a known shape, or a long random text assigned to a telling name. */
export function findSecret(source: string): FoundSecret | undefined {
  const lines = source.split(/\r?\n/);
  for (const [at, text] of lines.entries()) {
    const known = shapes.find(([, shape]) => shape.test(text));
    if (known !== undefined) return { kind: known[0], line: at + 1 };
    const value = assigned.exec(text)?.[1];
    if (value !== undefined && looksRandom(value)) return { kind: "what looks like a key or password", line: at + 1 };
  }
  return undefined;
}

/** Letters and digits mixed, few of them twice: names and words repeat more. */
function looksRandom(value: string): boolean {
  if (placeholder.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits > 3;
}

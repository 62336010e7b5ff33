/** A kind of secret that is known by how it is written. */
export interface SecretShape {
  /** What it is called where it stood: `[redacted: GitHub token]`. */
  readonly kind: string;
  /** How it may begin: cheap to look for. */
  readonly begins: readonly string[];
  /** The beginning and all that may belong to it, however short: what is held back at the end of a chunk. */
  readonly candidate: string;
  /** What of a candidate is the secret, as its start in it; undefined when it is none after all. */
  secretFrom(candidate: string): number | undefined;
  /** What goes on belonging to a secret that is longer than is held back. */
  readonly rest: RegExp;
}

const word = /[A-Za-z0-9_-]+/y;
const alone = "(?<![A-Za-z0-9_])";

/** All that is joined to a token goes with it: several in a row are no less secret. */
function token(kind: string, begins: readonly string[], whole: RegExp, before = ""): SecretShape {
  return {
    kind,
    begins,
    candidate: `${before}(?:${begins.join("|")})[A-Za-z0-9_-]*`,
    secretFrom: (candidate) => (whole.test(candidate) ? 0 : undefined),
    rest: word,
  };
}

/** From `from` to the candidate's end is the secret, when `whole` matches; its first group is what comes before. */
function after(whole: RegExp): (candidate: string) => number | undefined {
  return (candidate) => whole.exec(candidate)?.[1]?.length;
}

const keyBody = "[\\sA-Za-z0-9+/=:,.\\\\-]";

export const secretShapes: readonly SecretShape[] = [
  {
    kind: "private key",
    begins: ["-----BEGIN"],
    candidate: `-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----${keyBody}*?(?:-----END [A-Z0-9 ]*-----|(?!${keyBody}))|-----BEGIN[A-Z0-9 -]*$`,
    secretFrom: (candidate) => (/^-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(candidate) ? 0 : undefined),
    rest: new RegExp(`${keyBody}*?(?:-----END [A-Z0-9 ]*-----|(?!${keyBody}))`, "y"),
  },
  token("AWS access key", ["AKIA", "ASIA"], /^A[KS]IA[0-9A-Z]{16}/),
  {
    kind: "AWS secret key",
    begins: ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "SecretAccessKey"],
    candidate:
      "(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY|SecretAccessKey)[\"']?[ \\t]*[:=]?[ \\t]*[\"']?[A-Za-z0-9/+=]*",
    secretFrom: after(/^(.*?[:=]\s*["']?)[A-Za-z0-9/+]{40}=*$/),
    rest: /[A-Za-z0-9/+=]+/y,
  },
  token("GitHub token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], /^gh[pousr]_[A-Za-z0-9]{20,}/),
  token("GitHub token", ["github_pat_"], /^github_pat_[A-Za-z0-9_]{22,}/),
  token("GitLab token", ["glpat-"], /^glpat-[A-Za-z0-9_-]{20,}/),
  token(
    "Slack token",
    ["xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"],
    /^xox[abeoprs]-[A-Za-z0-9-]{10,}/,
  ),
  {
    kind: "Slack webhook",
    begins: ["hooks.slack.com/"],
    candidate: "hooks\\.slack\\.com/[A-Za-z0-9/]*",
    secretFrom: after(/^(hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}$/),
    rest: /[A-Za-z0-9/]+/y,
  },
  token("Google API key", ["AIza"], /^AIza[0-9A-Za-z_-]{35}/),
  token("Stripe key", ["rk_live_", "sk_live_", "rk_test_", "sk_test_"], /^[rs]k_(?:live|test)_[0-9a-zA-Z]{16,}/),
  token("npm token", ["npm_"], /^npm_[A-Za-z0-9]{36}/, alone),
  token("Hugging Face token", ["hf_"], /^hf_[A-Za-z0-9]{30,}/, alone),
  // Names such as sk-learn-… are no keys: those have digits and a long unbroken run.
  token("API key", ["sk-"], /^sk-(?=.*\d)(?=.*[A-Za-z0-9_]{16})[A-Za-z0-9_-]{20,}$/, alone),
  {
    kind: "JWT",
    begins: ["eyJ"],
    candidate: "eyJ[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]*){0,2}",
    secretFrom: (candidate) =>
      /^eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}$/.test(candidate) ? 0 : undefined,
    rest: /[A-Za-z0-9_.-]+/y,
  },
  {
    kind: "bearer token",
    begins: ["bearer ", "Bearer "],
    candidate: "[Bb]earer +[A-Za-z0-9._~+/=-]*",
    secretFrom: after(/^([Bb]earer +)(?=.*\d)[A-Za-z0-9._~+/=-]{16,}$/),
    rest: /[A-Za-z0-9._~+/=-]+/y,
  },
  {
    kind: "credentials",
    begins: ["authorization", "Authorization"],
    candidate: "[Aa]uthorization[\"']?[ ]*[:=]?[ ]*[\"']?(?:Basic )?[A-Za-z0-9+/=]*",
    secretFrom: after(/^([Aa]uthorization["']? *[:=] *["']?Basic )[A-Za-z0-9+/]{8,}=*$/),
    rest: /[A-Za-z0-9+/=]+/y,
  },
  {
    kind: "password",
    begins: ["://"],
    candidate: "://[^\\s/:@\"'<>{}$?#]*(?::[^\\s/@\"'<>{}$]*)?",
    secretFrom: after(/^(:\/\/[^:]*:)[^@]{3,}$/),
    rest: /[^\s/@"'<>{}$]+/y,
  },
];

/** A kind of secret that is known by how it is written. */
export interface SecretShape {
  /** What it is called where it stood: `[redacted: GitHub token]`. */
  readonly kind: string;
  /** Literal beginning, as the source of a regular expression; cheap to look for. */
  readonly trigger: string;
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
function token(kind: string, trigger: string, begins: RegExp, before = ""): SecretShape {
  return {
    kind,
    trigger,
    candidate: `${before}${trigger}[A-Za-z0-9_-]*`,
    secretFrom: (candidate) => (begins.test(candidate) ? 0 : undefined),
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
    trigger: "-----BEGIN",
    candidate: `-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----${keyBody}*?(?:-----END [A-Z0-9 ]*-----|(?!${keyBody}))|-----BEGIN[A-Z0-9 -]*$`,
    secretFrom: (candidate) => (/^-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(candidate) ? 0 : undefined),
    rest: new RegExp(`${keyBody}*?(?:-----END [A-Z0-9 ]*-----|(?!${keyBody}))`, "y"),
  },
  token("AWS access key", "A[KS]IA", /^A[KS]IA[0-9A-Z]{16}/),
  {
    kind: "AWS secret key",
    trigger: "(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY|SecretAccessKey)",
    candidate:
      "(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY|SecretAccessKey)[\"']?[ \\t]*[:=]?[ \\t]*[\"']?[A-Za-z0-9/+=]*",
    secretFrom: after(/^(.*?[:=]\s*["']?)[A-Za-z0-9/+]{40}=*$/),
    rest: /[A-Za-z0-9/+=]+/y,
  },
  token("GitHub token", "gh[pousr]_", /^gh[pousr]_[A-Za-z0-9]{20,}/),
  token("GitHub token", "github_pat_", /^github_pat_[A-Za-z0-9_]{22,}/),
  token("GitLab token", "glpat-", /^glpat-[A-Za-z0-9_-]{20,}/),
  token("Slack token", "xox[abeoprs]-", /^xox[abeoprs]-[A-Za-z0-9-]{10,}/),
  {
    kind: "Slack webhook",
    trigger: "hooks\\.slack\\.com/",
    candidate: "hooks\\.slack\\.com/[A-Za-z0-9/]*",
    secretFrom: after(/^(hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}$/),
    rest: /[A-Za-z0-9/]+/y,
  },
  token("Google API key", "AIza", /^AIza[0-9A-Za-z_-]{35}/),
  token("Stripe key", "[rs]k_(?:live|test)_", /^[rs]k_(?:live|test)_[0-9a-zA-Z]{16,}/),
  token("npm token", "npm_", /^npm_[A-Za-z0-9]{36}/, alone),
  token("Hugging Face token", "hf_", /^hf_[A-Za-z0-9]{30,}/, alone),
  // Names such as sk-learn-… are no keys: those have digits and a long unbroken run.
  token("API key", "sk-", /^sk-(?=.*\d)(?=.*[A-Za-z0-9_]{16})[A-Za-z0-9_-]{20,}$/, alone),
  {
    kind: "JWT",
    trigger: "eyJ",
    candidate: "eyJ[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]*){0,2}",
    secretFrom: (candidate) =>
      /^eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}$/.test(candidate) ? 0 : undefined,
    rest: /[A-Za-z0-9_.-]+/y,
  },
  {
    kind: "bearer token",
    trigger: "[Bb]earer ",
    candidate: "[Bb]earer +[A-Za-z0-9._~+/=-]*",
    secretFrom: after(/^([Bb]earer +)(?=.*\d)[A-Za-z0-9._~+/=-]{16,}$/),
    rest: /[A-Za-z0-9._~+/=-]+/y,
  },
  {
    kind: "credentials",
    trigger: "[Aa]uthorization",
    candidate: "[Aa]uthorization[\"']?[ ]*[:=]?[ ]*[\"']?(?:Basic )?[A-Za-z0-9+/=]*",
    secretFrom: after(/^([Aa]uthorization["']? *[:=] *["']?Basic )[A-Za-z0-9+/]{8,}=*$/),
    rest: /[A-Za-z0-9+/=]+/y,
  },
  {
    kind: "password",
    trigger: "://",
    candidate: "://[^\\s/:@\"'<>{}$?#]*(?::[^\\s/@\"'<>{}$]*)?",
    secretFrom: after(/^(:\/\/[^:]*:)[^@]{3,}$/),
    rest: /[^\s/@"'<>{}$]+/y,
  },
];

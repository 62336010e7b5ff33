// Put together here, so that no scanner takes this file for a leak.
const letters = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2eF4hJ6";
const key = (begin: string, length: number) => begin + letters.slice(0, length);
const keyLines = Array.from({ length: 6 }, () => `${letters}${letters.slice(0, 28)}`).join("\n");

/** One of each kind of secret, none of them real. */
export const sampleSecrets: Record<string, string> = {
  "an AWS access key": `AK${"IA"}ABCDEFGHIJKLMNOP`,
  "an AWS secret key": `aws_secret_access_key = ${letters}/x+Y`,
  "a GitHub token": key(`gh${"p_"}`, 36),
  "a fine-grained GitHub token": `github${"_pat_"}${letters}`,
  "a GitLab token": key(`gl${"pat-"}`, 20),
  "a Slack token": `xox${"b-"}123456789012-${letters.slice(0, 20)}`,
  "a Slack webhook": `https://hooks.slack${".com/services/"}T0000000/B0000000/${letters.slice(0, 24)}`,
  "a Google key": `AI${"za"}${letters.slice(0, 35)}`,
  "a Stripe key": key(`sk${"_live_"}`, 24),
  "an npm token": key(`np${"m_"}`, 36),
  "an OpenAI key": `sk${"-proj-"}${letters}`,
  "an Anthropic key": `sk${"-ant-api03-"}${letters}-${letters}`,
  "a JWT": `ey${"J"}hbGciOiJIUzI1NiJ9.ey${"J"}zdWIiOiIxMjM0NTY3ODkwIn0.${letters}`,
  "a bearer header": `Authorization: Bearer ${letters}`,
  "a basic header": `Authorization: Basic ${Buffer.from("user:pass word").toString("base64")}`,
  "a password in an address": "postgres://user:correct-horse@db.example.com/app",
  "a private key": `-----BEGIN RSA ${"PRIVATE KEY"}-----\n${keyLines}\n-----END RSA ${"PRIVATE KEY"}-----`,
};

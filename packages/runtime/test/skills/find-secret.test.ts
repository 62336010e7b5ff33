import { describe, expect, test } from "vitest";
import { findSecret } from "../../src/skills/find-secret.js";

// Put together here, so that no scanner takes this file for a leak.
const digits = "a8Zk2Lq9Xv4Bn7Tm3Rw6Yc1Pd5Hs0Jf";

describe("secrets in source", () => {
  test.each([
    ["a private key", `-----BEGIN OPENSSH ${"PRIVATE KEY"}-----`],
    ["an AWS access key", `key = "AKIA${"IOSFODNN7QWERTYU"}"`],
    ["a GitHub token", `token = "github_pat_${digits}"`],
    ["a GitLab token", `"glpat-${digits}"`],
    ["a Slack token", `"xoxb-${"123456789012-abcdef"}"`],
    ["a Google API key", `"AIza${digits}abcd"`],
    ["a Stripe key", `"sk_live_${digits}"`],
    ["an API key", `"sk-ant-${digits}"`],
    ["a password in an address", `db = connect("postgres://admin:${"hunter22x"}@db.internal/app")`],
    ["what looks like a key or password", `api_key = "${digits}"`],
    ["what looks like a key or password", `const clientSecret: string = '${digits}';`],
    ["what looks like a key or password", `headers = {"Auth-Token": "${digits}"}`],
    ["what looks like a key or password", `PASSWORD: str = "${digits}"`],
  ])("finds %s in %s", (kind, line) => {
    expect(findSecret(`import os\n\n${line}\n`)).toEqual({ kind, line: 3 });
  });

  test.each([
    ['api_key = os.environ["SERVICE_API_KEY"]'],
    ['token = ""'],
    ['password = getpass("Your password for the service: ")'],
    ['api_key = "your-api-key-goes-here-1234"'],
    ['API_KEY = "xxxxxxxxxxxxxxxxxxxx1"'],
    ["const token = `\u0024{prefix}-\u0024{process.env.TOKEN_SUFFIX_1}`"],
    ['token_url = "https://accounts.example.org/oauth2/v1/token"'],
    ['secret_name = "production_database_credentials"'],
    ['tokens = tokenizer.encode("a sentence of 12 words")'],
    ['digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"'],
    ['proxy = "http://{user}:{password}@host"'],
  ])("lets %s pass", (line) => {
    expect(findSecret(line)).toBeUndefined();
  });
});

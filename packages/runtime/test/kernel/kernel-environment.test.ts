import { describe, expect, it } from "vitest";
import { isSecretName, kernelEnvironment } from "../../src/kernel/kernel-environment.js";
import { isManagedCredential } from "../../src/kernel/managed-credentials.js";

const location = { home: "/home/a/.artificer", session: "s1", base: "/b", language: "python" } as const;

describe("a kernel's environment", () => {
  it("has what is on the list, four location variables, and nothing else [M6]", () => {
    const host = {
      PATH: "/bin",
      HOME: "/h",
      LC_ALL: "C",
      AWS_REGION: "x",
      DATABASE_URL: "postgres://u:p@h",
      ARTIFICER_ADMIN: "1",
      OPENAI_API_KEY: "sk",
    };
    expect(kernelEnvironment(host, location)).toEqual({
      PATH: "/bin",
      HOME: "/h",
      LC_ALL: "C",
      ARTIFICER_HOME: "/home/a/.artificer",
      ARTIFICER_SESSION: "s1",
      ARTIFICER_BASE: "/b",
      ARTIFICER_LANGUAGE: "python",
    });
  });

  it("never passes a name that looks like a secret, even with a passing prefix [M6]", () => {
    expect(kernelEnvironment({ LC_API_KEY: "x", LC_TOKEN: "y" }, location)).not.toHaveProperty("LC_API_KEY");
  });

  it.each([
    "API_KEY",
    "GITHUB_TOKEN",
    "DB_PASSWORD",
    "AWS_SECRET_ACCESS_KEY",
    "MY_CREDENTIALS",
    "apikey",
    "SESSION_COOKIE",
  ])("takes %s for a secret", (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(["PATH", "KEYBOARD", "AUTHOR", "TOKENIZERS_PARALLELISM", "MONKEY"])("does not take %s for one", (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe("managed credentials", () => {
  it.each([
    "OPENAI_API_KEY",
    "openai_base_url",
    "ANTHROPIC_API_KEY",
    "GITHUB_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "ARTIFICER_ANYTHING",
  ])("has %s among them, which no rule passes [M6]", (name) => {
    expect(isManagedCredential(name)).toBe(true);
    expect(kernelEnvironment({ [name]: "x" }, location, { passthrough: [name] })).not.toHaveProperty(name);
  });

  it.each(["NOTION_TOKEN", "MY_OPENAI_API_KEY", "GITHUB_ACTOR", "AWS_REGION"])("does not have %s [M6]", (name) => {
    expect(isManagedCredential(name)).toBe(false);
    expect(kernelEnvironment({ [name]: "x" }, location)).not.toHaveProperty(name);
    expect(kernelEnvironment({ [name]: "x" }, location, { passthrough: [name] })).toHaveProperty(name, "x");
  });
});

import { describe, expect, it } from "vitest";
import { knownSecrets } from "../../src/redaction/known-secrets.js";
import { createRedactor } from "../../src/redaction/redactor.js";
import { sampleSecrets } from "./sample-secrets.js";

const env = {
  SERVICE_API_KEY: "pässwort-🎈-0123456789",
  DB_PASSWORD: "hunter2hunter2",
  MODE_KEY: "development",
  PORT: "8080",
};
const redactor = createRedactor({ known: knownSecrets([env], ["registered on purpose"]), secrets: true });

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Cuts bytes into chunks of random lengths, mostly small. */
function* chunksOf(bytes: Uint8Array, next: () => number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; ) {
    const size = 1 + Math.floor(next() ** 3 * 60);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

function streamed(text: string, next: () => number): { text: string; count: number } {
  let count = 0;
  const stream = redactor.stream(() => count++);
  const out: Uint8Array[] = [];
  for (const chunk of chunksOf(Buffer.from(text), next)) out.push(stream.push(chunk).slice());
  out.push(stream.end());
  return { text: Buffer.concat(out).toString(), count };
}

const fillers = [
  " and then ",
  "\n",
  "grüße 🎈 ",
  "https://example.com:8080/a/b?c=d ",
  "sk-learn-is-a-library ",
  "s",
  "eyJ ",
  "A",
  "\x1b[31mred\x1b[0m ",
  "-----BEGIN CERTIFICATE-----\n",
  "foo_bar://x ",
  "Bearer of news ",
  '{"a": 1}\n',
];

describe("redaction", () => {
  for (const [kind, secret] of Object.entries(sampleSecrets)) {
    it(`takes out ${kind}, whole or a byte at a time [M13]`, () => {
      const text = `before ${secret} after\n`;
      const kinds: string[] = [];
      const cleaned = redactor.text(text, (found) => kinds.push(found));
      expect(cleaned).toMatch(/^before .*\[redacted: [^\]]+\].* after\n$/s);
      expect(kinds).toHaveLength(1);
      expect(secretPart(kind)).not.toBe("");
      expect(cleaned).not.toContain(secretPart(kind));
      const stream = redactor.stream();
      const out = Array.from(Buffer.from(text), (byte) =>
        Buffer.from(stream.push(Uint8Array.of(byte))).toString("latin1"),
      );
      const slow = out.join("") + Buffer.from(stream.end()).toString("latin1");
      expect(slow).not.toContain(secretPart(kind));
      expect(slow).toContain("[redacted: ");
      expect(slow.endsWith(" after\n")).toBe(true);
    });
  }

  it("takes out the values of variables with secret-looking names, also as base64 and in addresses, and says which [M13]", () => {
    const secret = env.SERVICE_API_KEY;
    for (const form of [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)]) {
      const cleaned = redactor.text(`<${form}>`);
      expect(cleaned).toMatch(/^<\[redacted: SERVICE_API_KEY\]=*>$/);
    }
    expect(redactor.text("port 8080, development, registered on purpose")).toBe(
      "port 8080, development, [redacted: secret]",
    );
  });

  it("knows passphrases, keys of several lines, and passwords in addresses, and lets words, numbers and paths pass [M13]", () => {
    const line = "q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8";
    const known = knownSecrets([
      {
        SIGN_PASSPHRASE: "correct horse battery staple",
        DEPLOY_KEY: `first\n${line}\nlast`,
        DATABASE_URL: "postgres://app:tr0ub4dor-and-3@db/app",
        SSH_AUTH_SOCK: "/tmp/agent.1234",
        SOME_TOKEN: "production",
        OTHER_KEY: "12345678",
      },
    ]);
    const { text } = createRedactor({ known, secrets: true });
    expect(text("say correct horse battery staple")).toBe("say [redacted: SIGN_PASSPHRASE]");
    expect(text(`line: ${line}`)).toBe("line: [redacted: DEPLOY_KEY]");
    expect(text("password tr0ub4dor-and-3")).toBe("password [redacted: DATABASE_URL]");
    const plain = "/tmp/agent.1234 production 12345678";
    expect(text(plain)).toBe(plain);
  });

  it("refuses to hide what is too short to be a secret", () => {
    expect(() => knownSecrets([], ["fine one", "abc"])).toThrow(/secrets\[1\] has 3 characters/);
  });

  it("gives the same for every way of cutting the stream, and never shows a secret [M13]", () => {
    const secrets = [
      ...Object.keys(sampleSecrets).map((kind) => [sampleSecrets[kind]!, secretPart(kind)]),
      [env.SERVICE_API_KEY, env.SERVICE_API_KEY],
      [env.DB_PASSWORD, env.DB_PASSWORD],
    ];
    for (let seed = 1; seed <= 400; seed++) {
      const next = random(seed);
      const used: string[] = [];
      let text = "";
      for (let piece = 0; piece < 12; piece++) {
        if (next() < 0.3) {
          const [secret, part] = secrets[Math.floor(next() * secrets.length)]!;
          text += ` ${secret}\n`;
          used.push(part!);
        } else text += fillers[Math.floor(next() * fillers.length)];
      }
      const told = streamed(text, next);
      for (const part of used) expect(told.text, `seed ${seed}`).not.toContain(part);
      expect(told.text, `seed ${seed}`).not.toContain("\x1b");
      expect(told.count, `seed ${seed}: ${JSON.stringify(text)}`).toBe(used.length);
      expect(told.text).not.toContain("\ufffd");
    }
  });

  it("gives the same for large chunks, which are looked through another way [M13]", () => {
    const parts = Object.keys(sampleSecrets).map((kind) => [sampleSecrets[kind]!, secretPart(kind)] as const);
    parts.push([env.SERVICE_API_KEY, env.SERVICE_API_KEY], [env.DB_PASSWORD, env.DB_PASSWORD]);
    for (let seed = 1; seed <= 150; seed++) {
      const next = random(seed);
      const [secret, part] = parts[seed % parts.length]!;
      const before = "plain text, over and over. ".repeat(100 + Math.floor(next() * 100));
      const bytes = Buffer.from(`${before} ${secret}\n${before}`);
      const begin = Buffer.byteLength(before) + 1;
      // Cut at, or somewhere in, the secret.
      const cut = begin + Math.floor(next() * (Buffer.byteLength(secret) + 2));
      const stream = redactor.stream();
      const out = [bytes.subarray(0, cut), bytes.subarray(cut)].map((chunk) => Buffer.from(stream.push(chunk)));
      const told = Buffer.concat([...out, stream.end()]).toString();
      expect(told, `seed ${seed}`).not.toContain(part);
      expect(told.match(/\[redacted: /g), `seed ${seed}, ${secret} cut at ${cut - begin}`).toHaveLength(1);
      expect(told.startsWith(before) && told.endsWith(before), `seed ${seed}`).toBe(true);
    }
  });

  it("lets everything else pass unchanged, whatever the chunks", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const next = random(seed);
      let text = "";
      for (let piece = 0; piece < 30; piece++) text += fillers[Math.floor(next() * fillers.length)];
      const plain = text.replaceAll("\x1b[31m", "").replaceAll("\x1b[0m", "");
      expect(streamed(text, next)).toEqual({ text: plain, count: 0 });
      expect(redactor.text(text)).toBe(plain);
    }
  });

  it("holds back no ordinary output: only from where a secret may have begun", () => {
    const stream = redactor.stream();
    const push = (text: string) => Buffer.from(stream.push(Buffer.from(text))).toString();
    for (const text of ["progress 10%\r", "A", "s", "done: ", "https://example.com/", "ü", "{", "hunt"]) {
      const shown = push(text);
      expect(shown).toBe(text === "hunt" ? "" : text);
    }
    expect(push("er\n")).toBe("hunter\n");
    expect(push("key sk-")).toBe("key ");
    expect(push("learn is no key\n")).toBe("sk-learn is no key\n");
  });

  it("gives up waiting for the end of a secret that has none, and drops the rest of it", () => {
    const stream = redactor.stream();
    const endless = `${sampleSecrets["an OpenAI key"]}${"a1B2".repeat(10_000)}`;
    let out = "";
    for (const chunk of chunksOf(Buffer.from(`${endless} end`), random(7)))
      out += Buffer.from(stream.push(chunk)).toString();
    out += Buffer.from(stream.end()).toString();
    expect(out).toBe("[redacted: API key] end");
  });

  it("strips terminal escapes split over chunks, and keeps bytes that are no text [M13]", () => {
    const all = Buffer.concat([
      Buffer.from("a\x1b[1;31mb\x1b[0m\x1b]8;;http://x\x07c\x1b]0;title\x1b\\d\x1b(Be\x1bPq#0\x1b\\f\u009b31mg\x1b=h"),
      Buffer.from([0, 0xff, 0xc2, 0xa9, 0xfe]),
    ]);
    for (let size = 1; size <= all.byteLength; size++) {
      const stream = redactor.stream();
      const out: Uint8Array[] = [];
      for (let at = 0; at < all.byteLength; at += size) out.push(stream.push(all.subarray(at, at + size)).slice());
      out.push(stream.end());
      expect(Buffer.concat(out)).toEqual(
        Buffer.concat([Buffer.from("abcdefgh"), Buffer.from([0, 0xff, 0xc2, 0xa9, 0xfe])]),
      );
    }
  });

  it("can be turned off: secrets pass, terminal escapes do not", () => {
    const off = createRedactor({ known: [], secrets: false });
    const token = sampleSecrets["a GitHub token"]!;
    expect(off.text(`\x1b[1m${token}`)).toBe(token);
    expect(Buffer.from(off.stream().push(Buffer.from(`\x1b[1m${token}`))).toString()).toBe(token);
  });
});

/** What of a sample must not be seen: its last characters. */
function secretPart(kind: string): string {
  const secret = sampleSecrets[kind]!;
  return /:([^:@]+)@/.exec(secret)?.[1] ?? secret.replace(/["\s]|-----END.*/gs, "").slice(-16);
}

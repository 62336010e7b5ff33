import type { Embedder } from "@artificer/protocol";
import { afterEach, describe, expect, test } from "vitest";

/** How far a vector's length may be from 1: what single precision loses over some thousand dimensions. */
const lengthTolerance = 1e-4;

/**
 * The contract of every embedder. `open` gives a fresh one at each call; the suite closes it.
 *
 * @example testEmbedder("local", async () => createLocalEmbedder());
 */
export function testEmbedder(name: string, open: () => Promise<Embedder>): void {
  // A model may have to load at each test, on a machine that is busy with other things.
  describe(`embedder: ${name}`, { timeout: 60_000 }, () => {
    const opened: Embedder[] = [];
    const fresh = async () => {
      const embedder = await open();
      opened.push(embedder);
      return embedder;
    };
    afterEach(async () => {
      for (const embedder of opened.splice(0)) await embedder.close?.();
    });

    test("names its model and the dimensions that every vector has", async () => {
      const embedder = await fresh();
      expect(embedder.model).toMatch(/\S/);
      const vectors = await embedder.embed(["a word", "a rather longer sentence about nothing in particular"]);
      expect(vectors.map((vector) => vector.length)).toEqual([embedder.dimensions, embedder.dimensions]);
      expect(vectors.every((vector) => vector instanceof Float32Array)).toBe(true);
    });

    test("gives unit vectors, for an empty text, a long one and unusual characters too", async () => {
      const embedder = await fresh();
      const texts = [
        "plain",
        "",
        " ",
        "\n",
        "word ".repeat(4000),
        "日本語 😀 \u0000",
        "\ud800",
        "constructor __proto__",
      ];
      const vectors = await embedder.embed(texts);
      const lengths = vectors.map((vector) => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)));
      expect(lengths.map((length) => Math.abs(length - 1) < lengthTolerance)).toEqual(texts.map(() => true));
    });

    test("gives nothing for no texts", async () => {
      expect(await (await fresh()).embed([])).toEqual([]);
    });

    test("keeps the order of the texts, whatever batches it makes of them", async () => {
      const embedder = await fresh();
      const words = ["red", "seven", "ocean", "piano", "winter", "algebra", "bread"];
      const alone = new Map<string, Float32Array>();
      for (const word of words) alone.set(word, (await embedder.embed([word]))[0]!);
      const many = Array.from({ length: 70 }, (_, at) => words[at % words.length]!);
      const vectors = await embedder.embed(many);
      expect(vectors).toHaveLength(many.length);
      const strays = vectors.filter((vector, at) => cosine(vector, alone.get(many[at]!)!) < 0.999);
      expect(strays).toEqual([]);
    });

    test("gives different texts different vectors", async () => {
      const [left, right] = await (await fresh()).embed(["a recipe for bread", "the orbit of Mars"]);
      expect(cosine(left!, right!)).toBeLessThan(0.95);
    });

    test("gives the same vector for the same text, from another instance too", async () => {
      const [first] = await (await fresh()).embed(["the same text"]);
      const [second] = await (await fresh()).embed(["the same text"]);
      expect(cosine(first!, second!)).toBeGreaterThan(0.9999);
    });

    test("answers calls made at the same time each with its own vectors", async () => {
      const embedder = await fresh();
      const words = ["red", "seven", "ocean", "piano"];
      const together = await Promise.all(words.map((word) => embedder.embed([word])));
      const apart = await embedder.embed(words);
      expect(together.map(([vector], at) => cosine(vector!, apart[at]!) > 0.999)).toEqual(words.map(() => true));
    });

    test("throws the reason of a signal that has fired already", async () => {
      const reason = new Error("no longer wanted");
      await expect((await fresh()).embed(["x"], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    test("throws the reason of a signal that fires meanwhile, and works on afterwards", async () => {
      const embedder = await fresh();
      const reason = new Error("no longer wanted");
      const controller = new AbortController();
      const pending = embedder.embed(Array(200).fill("a text of many"), { signal: controller.signal });
      controller.abort(reason);
      await expect(pending).rejects.toBe(reason);
      expect(await embedder.embed(["and again"])).toHaveLength(1);
    });

    test("closes any number of times", async () => {
      const embedder = await fresh();
      await embedder.embed(["x"]);
      await embedder.close?.();
      await embedder.close?.();
    });
  });
}

function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * right[at]!, 0);
}

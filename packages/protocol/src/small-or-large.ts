/** A source that ended within its first chunk, as that; or one that goes on, whole. */
export type SmallOrLarge = { small: Uint8Array } | { large: AsyncGenerator<Uint8Array> };

/** Tells whether a source is small, which is known when it ended within its first chunk; nothing of it is lost. */
export async function smallOrLarge(source: AsyncGenerator<Uint8Array>): Promise<SmallOrLarge> {
  const first = await source.next();
  if (first.done) return { small: new Uint8Array() };
  const second = await source.next();
  if (second.done) return { small: first.value };
  const all = async function* () {
    yield first.value;
    yield second.value;
    yield* source;
  };
  return { large: all() };
}

/** A call that knows whether anyone waits for it. */
export class ToolCall extends Promise<unknown> {
  tool = "";
  awaited = false;

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` calls it, which is how a call learns that it is awaited.
  override then<A = unknown, B = never>(
    kept?: ((value: unknown) => A | PromiseLike<A>) | null,
    broken?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.awaited = true;
    return super.then(kept, broken);
  }
}

/** So many times one digit, in chunks: whether it is whole, and of one version, is seen at a glance. */
export async function* digits(n: number, length: number): AsyncGenerator<Uint8Array> {
  for (let left = length; left > 0; left -= 50_000) yield Buffer.alloc(Math.min(left, 50_000), String(n % 10));
}

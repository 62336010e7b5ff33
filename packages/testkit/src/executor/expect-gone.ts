import { expect } from "vitest";

/** Fails when the process stays. */
export async function expectGone(pid: number): Promise<void> {
  const isThere = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isThere, { timeout: 30_000, message: `process ${pid} is still there` }).toBe(false);
}

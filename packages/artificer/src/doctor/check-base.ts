import { mkdtemp, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DoctorCheck } from "./doctor-report.js";

/** Whether the base folder is there and can be written to. Leaves nothing behind. */
export async function checkBase(base: string): Promise<DoctorCheck> {
  const name = "base";
  const found = await stat(base).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    if (found.code === "ENOENT") {
      return { name, status: "warn", detail: `${base} is not there yet`, hint: "Lay it out with `artificer init`." };
    }
    return { name, status: "fail", detail: `${base}: ${found.message}`, hint: "Name another folder with --base." };
  }
  if (!found.isDirectory()) {
    return { name, status: "fail", detail: `${base} is no folder`, hint: "Name a folder with --base." };
  }
  try {
    await rmdir(await mkdtemp(join(base, ".doctor-")));
    return { name, status: "ok", detail: `${base} can be written to` };
  } catch (error) {
    return {
      name,
      status: "fail",
      detail: `${base} can't be written to: ${(error as Error).message}`,
      hint: "Make it writable for this user, free some space, or name another folder with --base.",
    };
  }
}

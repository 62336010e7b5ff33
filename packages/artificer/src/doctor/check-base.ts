import { access, constants, mkdtemp, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DoctorCheck } from "./doctor-report.js";

const name = "base";

/** Whether the base folder is there and can be written to, or else be made. Leaves nothing behind. */
export async function checkBase(base: string): Promise<DoctorCheck> {
  const found = await stat(base).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) return found.code === "ENOENT" ? checkMissing(base) : unusable(base, found.message);
  if (!found.isDirectory()) return unusable(base, "it is no folder");
  try {
    await rmdir(await mkdtemp(join(base, ".doctor-")));
    return { name, status: "ok", detail: `${base} can be written to` };
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!["EACCES", "EPERM", "EROFS"].includes(code)) return unusable(base, message);
    return {
      name,
      status: "warn",
      detail: `${base} is read-only: cells run, but nothing can be kept`,
      hint: "Make it writable for this user, or name another folder with --base.",
    };
  }
}

async function checkMissing(base: string): Promise<DoctorCheck> {
  let parent = dirname(base);
  while (parent !== dirname(parent) && !(await stat(parent).catch(() => undefined))) parent = dirname(parent);
  const writable = await access(parent, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!writable) return unusable(base, `it is not there, and ${parent} can't be written to`);
  return { name, status: "warn", detail: `${base} is not there yet`, hint: "Lay it out with `artificer init`." };
}

function unusable(base: string, why: string): DoctorCheck {
  return { name, status: "fail", detail: `${base}: ${why}`, hint: "Name a folder that can be written to with --base." };
}

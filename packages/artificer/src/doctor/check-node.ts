import type { DoctorCheck } from "./doctor-report.js";

/** Oldest Node that Artificer runs on. */
const oldest = [20, 11] as const;

/** Whether this Node is recent enough. */
export function checkNode(version: string = process.versions.node): DoctorCheck {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const fine = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  if (fine) return { name: "node", status: "ok", detail: `${version} at ${process.execPath}` };
  return {
    name: "node",
    status: "fail",
    detail: `${version} is too old`,
    hint: `Install Node ${oldest.join(".")} or newer.`,
  };
}

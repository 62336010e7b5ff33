export { diagnose } from "./diagnose.js";
export type { DoctorCheck, DoctorReport } from "./doctor-report.js";

export { type DoctorCheck, type DoctorReport, diagnose } from "./diagnose.js";

export { createPythonKernel, type PythonKernelOptions } from "./create-python-kernel.js";
export { type FindPythonVersionOptions, findPythonVersion } from "./find-python-version.js";
export { isProgram, programsOnPath } from "./programs-on-path.js";
export { versionPattern } from "./python-version.js";

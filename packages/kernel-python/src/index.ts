export { createPythonKernel, type PythonKernelOptions } from "./create-python-kernel.js";

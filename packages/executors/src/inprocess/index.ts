export { createInprocessExecutor } from "./create-inprocess-executor.js";

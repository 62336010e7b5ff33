export { type SampleCall, type ToolkitSubject, testToolkit } from "./toolkit/test-toolkit.js";

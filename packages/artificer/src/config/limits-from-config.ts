import type { SessionLimits } from "@artificer/runtime";
import type { Config } from "./config-schema.js";

/** The limits that a configuration sets; seconds become milliseconds. */
export function limitsFromConfig({ code_execution: cells }: Config): Partial<SessionLimits> {
  return {
    timeoutMs: cells.timeout * 1000,
    maxWaitingMs: cells.max_waiting * 1000,
    maxQueueMs: cells.max_queue === undefined ? undefined : cells.max_queue * 1000,
    graceMs: cells.grace * 1000,
    maxToolCalls: cells.max_tool_calls,
    maxStdoutBytes: cells.max_stdout,
    maxStderrBytes: cells.max_stderr,
    maxInlineBytes: cells.max_inline,
    maxResultBytes: cells.max_result,
    maxSharedBytes: cells.max_shared,
    largeResults: cells.large_results,
    memoryBytes: cells.memory,
    cpuSeconds: cells.cpu,
    processes: cells.processes,
    openFiles: cells.open_files,
    fileBytes: cells.file_size,
    kernelIdleTimeoutMs: cells.kernel_idle_timeout * 1000,
    maxSessionKernels: cells.max_session_kernels,
  };
}

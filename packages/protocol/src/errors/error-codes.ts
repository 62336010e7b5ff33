/** How one failure shows itself outside the library: the CLI's exit code and the HTTP status. */
export interface ErrorCodeFacts {
  exit: number;
  http: number;
}

/*
 * Exit codes: 1 the user's code failed, 2 bad usage or input, 3 not found, 4 conflict, 5 refused by policy,
 * 6 timed out or interrupted, 7 the environment lacks something, 8 storage, 9 a kernel died, 70 a fault of ours.
 */
const input = { exit: 2, http: 400 } as const;
const missing = { exit: 3, http: 404 } as const;
const conflict = { exit: 4, http: 409 } as const;
const refused = { exit: 5, http: 403 } as const;
const limit = { exit: 5, http: 429 } as const;
const late = { exit: 6, http: 504 } as const;
const environment = { exit: 7, http: 503 } as const;
const storage = { exit: 8, http: 503 } as const;
const died = { exit: 9, http: 502 } as const;
const failed = { exit: 1, http: 422 } as const;
const fault = { exit: 70, http: 500 } as const;

/**
 * Every stable error code, `area/what-went-wrong`, with what it becomes at the edges.
 * A code is never renamed or reused; a new one is added here first.
 */
export const errorCodes = {
  // configuration and usage
  "config/unreadable": input,
  "config/invalid": input,
  "config/unknown-key": input,
  "config/restart-needed": conflict,
  "usage/invalid-argument": input,
  "usage/unknown-command": input,
  // session and cell
  "session/closed": conflict,
  "session/busy": conflict,
  "session/base-not-writable": environment,
  "session/base-missing": missing,
  "session/unknown-language": input,
  "session/not-owner": refused,
  "session/unknown-variable": missing,
  "session/variable-refused": refused,
  "cell/not-a-string": input,
  "cell/too-large": input,
  "cell/syntax": failed,
  "cell/type-error": failed,
  "cell/check-failed": late,
  "cell/checker-missing": environment,
  "cell/bad-magic": failed,
  "cell/shell-disabled": refused,
  "cell/exception": failed,
  "cell/exited": failed,
  "cell/timed-out": late,
  "cell/interrupted": late,
  "cell/queued-too-long": late,
  "cell/bad-folder": input,
  "cell/memory-limit": limit,
  "cell/cpu-limit": limit,
  "cell/process-limit": limit,
  "cell/open-files-limit": limit,
  "cell/file-size-limit": limit,
  "cell/unread-output": limit,
  "cell/value-too-large": limit,
  // kernel and executor
  "kernel/interpreter-missing": environment,
  "kernel/interpreter-too-old": environment,
  "kernel/engine-missing": environment,
  "kernel/environment-failed": environment,
  "kernel/start-failed": environment,
  "kernel/start-timed-out": late,
  "kernel/crashed": died,
  "kernel/killed": died,
  "kernel/protocol-violation": died,
  "kernel/closed": conflict,
  "kernel/idle": died,
  "kernel/evicted": died,
  "executor/unavailable": environment,
  "executor/unsupported": input,
  "executor/unauthorized": refused,
  // snapshots
  "snapshot/not-authentic": refused,
  "snapshot/other-key": refused,
  "snapshot/conflict": conflict,
  "snapshot/failed": storage,
  "executor/limit-not-enforced": environment,
  "executor/no-isolation": environment,
  // wire and values
  "wire/bad-frame": died,
  "wire/frame-too-large": limit,
  "wire/unknown-method": input,
  "value/not-encodable": input,
  "value/cycle": input,
  "value/too-deep": input,
  "value/malformed": input,
  "value/no-equal": input,
  // tools
  "tool/unknown-toolkit": missing,
  "tool/unknown-tool": missing,
  "tool/unknown-argument": input,
  "tool/missing-argument": input,
  "tool/invalid-argument": input,
  "tool/failed": failed,
  "tool/file-missing": missing,
  "tool/timed-out": late,
  "tool/cancelled": late,
  "tool/program-missing": environment,
  "tool/exit-code": failed,
  "tool/output-unparsable": failed,
  "tool/result-too-large": limit,
  "tool/limit-reached": limit,
  "tool/denied": refused,
  "tool/unavailable": environment,
  "tool/crashed": died,
  "tool/http-status": failed,
  "tool/secret-missing": environment,
  "tool/definition-invalid": input,
  "tool/duplicate": conflict,
  // policy, approval, budgets, secrets
  "policy/invalid": input,
  "policy/unknown-tool": input,
  "policy/not-cacheable": input,
  "approval/no-decider": refused,
  "approval/denied": refused,
  "approval/timed-out": late,
  "approval/failed": refused,
  "approval/too-many": limit,
  "approval/not-pending": conflict,
  "approval/invalid-decision": input,
  "budget/calls": limit,
  "budget/seconds": limit,
  "budget/bytes": limit,
  "secret/wrong-destination": refused,
  // skills
  "skill/not-found": missing,
  "skill/exists": conflict,
  "skill/conflict": conflict,
  "skill/invalid-name": input,
  "skill/invalid-front-matter": input,
  "skill/no-run": input,
  "skill/syntax": input,
  "skill/too-large": input,
  "skill/secret-in-source": refused,
  "skill/too-deep": limit,
  "skill/cycle": limit,
  "skill/failed": failed,
  "skill/wrong-language": input,
  // artifacts
  "artifact/not-found": missing,
  "artifact/invalid-name": input,
  "artifact/exists": conflict,
  "artifact/conflict": conflict,
  "artifact/denied": refused,
  "artifact/unreadable": storage,
  // values shared between cells
  "shared/invalid-name": input,
  "shared/not-found": missing,
  "shared/limit-reached": limit,
  // deps
  "dep/invalid": input,
  "dep/locked": refused,
  "dep/install-failed": environment,
  "dep/missing": environment,
  // storage
  "storage/invalid-key": input,
  "storage/conflict": conflict,
  "storage/full": storage,
  "storage/read-only": environment,
  "storage/unavailable": storage,
  "storage/corrupt": storage,
  "storage/closed": conflict,
  "storage/locked": conflict,
  "storage/unsupported": input,
  "storage/vector-mismatch": input,
  "storage/driver-missing": environment,
  // what travels between stores
  "store/conflict": conflict,
  "store/secret-found": refused,
  "store/archive-invalid": input,
  "store/damaged": storage,
  // search and embeddings
  "embedder/unavailable": environment,
  "embedder/failed": fault,
  "search/degraded": environment,
  // a fault of Artificer itself
  "internal/fault": fault,
} as const satisfies Record<string, ErrorCodeFacts>;

/** One of the stable error codes. */
export type ErrorCode = keyof typeof errorCodes;

/** True when `code` is one of the stable error codes. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errorCodes, code);
}

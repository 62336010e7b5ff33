import type { Toolkit } from "@artificer/protocol";
import { createToolkit } from "../functions/index.js";
import { cancelled } from "../remote/cancelled.js";
import { listFilesTool } from "./list-files-tool.js";
import { patchTool } from "./patch-tool.js";
import { readFileTool } from "./read-file-tool.js";
import { searchFilesTool } from "./search-files-tool.js";
import { type TerminalOptions, terminalTool } from "./terminal-tool.js";
import { defaultWorkspaceLimits, type WorkspaceContext, type WorkspaceLimits } from "./workspace-context.js";
import { createWorkspaceRoot } from "./workspace-root.js";
import { writeFileTool } from "./write-file-tool.js";

export interface WorkspaceOptions {
  /** The folder that its tools are kept to. */
  root: string;
  /** `workspace` unless given. */
  name?: string;
  /** With it there is no write_file, patch or terminal. */
  readOnly?: boolean;
  /** How commands are run; false leaves `terminal` out. */
  terminal?: TerminalOptions | false;
  /** ripgrep's name or path; false searches without it. */
  ripgrep?: string | false;
  limits?: Partial<WorkspaceLimits>;
}

/**
 * The files of one folder, and commands in it: read_file, write_file, search_files, patch, list_files, terminal. File tools
 * never leave the folder, by `..` or through links; a command is a process of the host and can.
 */
export function createWorkspaceToolkit(options: WorkspaceOptions): Toolkit {
  const name = options.name ?? "workspace";
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const context: WorkspaceContext = {
    root: createWorkspaceRoot(options.root),
    limits: { ...defaultWorkspaceLimits, ...options.limits },
    exclusively: createTurns(),
  };
  const writes = options.readOnly !== true;
  const toolkit = createToolkit({
    name,
    description: `Files ${writes ? "and commands " : ""}of the workspace`,
    tools: {
      read_file: readFileTool(context),
      search_files: searchFilesTool(context, options.ripgrep ?? "rg"),
      list_files: listFilesTool(context),
      ...(writes ? { write_file: writeFileTool(context), patch: patchTool(context) } : {}),
      ...(writes && options.terminal !== false ? { terminal: terminalTool(context, options.terminal ?? {}) } : {}),
    },
  });
  return {
    ...toolkit,
    async call(tool, args, call) {
      const signal = AbortSignal.any([call.signal, closing.signal]);
      if (signal.aborted) throw cancelled(signal, `${name}.${tool}`);
      const result = toolkit.call(tool, args, { ...call, signal });
      running.add(result);
      try {
        return await result;
      } catch (error) {
        throw signal.aborted ? cancelled(signal, `${name}.${tool}`) : error;
      } finally {
        running.delete(result);
      }
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}

/** Lets pieces of work happen one after another. */
function createTurns(): WorkspaceContext["exclusively"] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  };
}

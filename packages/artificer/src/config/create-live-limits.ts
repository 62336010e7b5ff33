import { statSync } from "node:fs";
import { join } from "node:path";
import { toArtificerError } from "@artificer/protocol";
import type { LiveLimits, SessionLimits, SessionProblem } from "@artificer/runtime";
import { changedSettings } from "./changed-settings.js";
import type { Config } from "./config-schema.js";
import { limitsFromConfig } from "./limits-from-config.js";
import { type ConfigFolders, readConfigNow, type StoredConfig } from "./read-config.js";

export interface LiveLimitsOptions {
  folders: ConfigFolders;
  /** What a store adds; read once. */
  stored?: StoredConfig | undefined;
  /** Limits that were given when the session was opened: they win whatever the files say. */
  given: Partial<SessionLimits>;
  onProblem(problem: SessionProblem): void;
}

/**
 * Lets an edit of config.yaml, the base's or the user's, hold from the next cell on, as far as limits go. What needs more is told
 * once; a file that can't be read changes nothing, and is told as well.
 */
export function createLiveLimits(config: Config, options: LiveLimitsOptions): LiveLimits {
  const { folders, stored, given, onProblem } = options;
  const files = [folders.base, folders.home].map((folder) => join(folder, "config.yaml"));
  let current = config;
  let seen = stampOf(files);

  return () => {
    const stamp = stampOf(files);
    if (stamp === seen) return undefined;
    seen = stamp;
    let next: Config;
    try {
      next = readConfigNow(folders, stored);
    } catch (thrown) {
      const { code, message, hint } = toArtificerError(thrown, "config/unreadable");
      onProblem({
        code,
        message: `${message} What was set before still holds.`,
        ...(hint === undefined ? {} : { hint }),
      });
      return {
        limits: {},
        notices: [`config.yaml was changed and can't be used, so nothing is different: ${message}`],
      };
    }
    const { live, later, reopen } = changedSettings(current, next);
    current = next;
    const notices = [
      ...live.map(({ key, value }) => `config.yaml was changed: ${key} is now ${value}.`),
      ...later.map(({ key, value }) => `config.yaml was changed: ${key} is ${value} from the next kernel on.`),
    ];
    if (reopen.length > 0) {
      const message = `config.yaml was changed: ${reopen.join(", ")} will hold when the session is opened anew.`;
      onProblem({ code: "config/restart-needed", message, hint: "Close the session, or restart the server." });
      notices.push(message);
    }
    const limits = live.length + later.length === 0 ? {} : { ...limitsFromConfig(next), ...given };
    return { limits, notices };
  };
}

/** Two looks at a file's facts: cheap enough to be had before every cell. */
function stampOf(files: readonly string[]): string {
  return files
    .map((file) => {
      try {
        const { mtimeMs, size, ino } = statSync(file);
        return `${mtimeMs} ${size} ${ino}`;
      } catch {
        return "";
      }
    })
    .join(";");
}

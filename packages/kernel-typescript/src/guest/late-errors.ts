import { inspect } from "node:util";
import { ExitSignal } from "./exit-signal.js";
import { tell, whereabouts } from "./output.js";

/**
 * Tells exceptions that no cell can catch any more: in timers, in event handlers, in promises that nobody handles. They end no
 * process here. A listener that a cell has put up comes first.
 */
export function installLateErrors(): void {
  process.setUncaughtExceptionCaptureCallback((error: unknown) => {
    if (error instanceof ExitSignal) return;
    if (process.listenerCount("uncaughtException") > 0) {
      (process as NodeJS.EventEmitter).emit("uncaughtException", error, "uncaughtException");
      return;
    }
    let shown: string;
    try {
      shown = inspect(error, { depth: 3 });
    } catch {
      shown = "an error that can't be shown";
    }
    tell(`Unhandled error ${whereabouts()}: ${shown}`);
  });
}

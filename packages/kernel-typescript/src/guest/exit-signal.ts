import { activity, currentCell } from "./activity.js";
import { tell, whereabouts } from "./output.js";

/** Thrown where a cell asks the process to exit: the cell ends, the kernel lives on. */
export class ExitSignal extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`process.exit(${code})`);
    this.name = "ExitSignal";
    this.code = code;
  }
}

/** Makes `process.exit` end the cell that calls it. */
export function installExit(): void {
  const exit = (code?: number | string | null): never => {
    const status = Number(code ?? process.exitCode ?? 0) | 0;
    const cell = activity.cell ?? currentCell();
    if (cell === undefined || cell.isOver) tell(`process.exit(${status}) ${whereabouts()} was ignored.`);
    else cell.end({ kind: "exited", code: status });
    throw new ExitSignal(status);
  };
  Object.assign(process, { exit, reallyExit: exit });
}

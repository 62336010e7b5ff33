import type { Session } from "artificer";
import { residentBytes } from "../process-memory.js";
import { startFolderGauge } from "./folder-gauge.js";
import { createHeapGauge } from "./host-heap.js";
import { pythonSoak, type SoakLanguage } from "./soak-cells.js";
import { type Trend, trendOf } from "./trend.js";

export interface OneSessionOptions {
  /** Cells that are sampled; as many again as a tenth of them come before, unsampled. */
  cells: number;
  /** What the cells are. Default Python, in the kernel alone. */
  soak?: SoakLanguage;
  /** The folder whose size is told, if there is one. */
  folder?: string;
  onProgress?: (cells: number) => void;
}

/** What a long conversation cost. All sizes in bytes, slopes in bytes a cell. */
export interface OneSessionReport {
  cells: number;
  toolCalls: number;
  seconds: number;
  /** Objects in the host that are still referred to, the memory storage included. */
  hostHeap: Trend;
  hostResident: Trend;
  kernelResident: Trend;
  /** What lies in the folder: mostly the journal, which grows by its nature. */
  stored: Trend | undefined;
}

const samples = 100;

/** Runs the cells one after another, checks each, and watches the memory of host and kernel. Closes nothing. */
export async function soakOneSession(session: Session, options: OneSessionOptions): Promise<OneSessionReport> {
  const { cells, folder, soak = pythonSoak } = options;
  const { language } = soak;
  const heap = createHeapGauge();
  const gauge = folder === undefined ? undefined : startFolderGauge(folder);
  try {
    return await watched();
  } finally {
    await gauge?.stop();
  }

  async function watched(): Promise<OneSessionReport> {
    const pid = Number((await session.run(soak.pid, { language })).value);
    const warmUp = Math.ceil(cells / 10);
    const every = Math.max(1, Math.floor(cells / samples));
    const taken = { heap: series(), host: series(), kernel: series(), stored: series() };
    let toolCalls = 0;
    const run = async (n: number) => {
      const { code, status, value } = soak.cell(n);
      const outcome = await session.run(code, { language });
      toolCalls += outcome.toolCalls.length;
      if (outcome.status === status && (value === undefined || outcome.value === value)) return;
      throw new Error(`cell ${n} of the soak went wrong: ${outcome.status} ${outcome.traceback ?? outcome.repr}`);
    };
    for (let n = 0; n < warmUp; n++) await run(n);
    toolCalls = 0;
    const from = performance.now();
    for (let n = 1; n <= cells; n++) {
      await run(warmUp + n - 1);
      if (n % every !== 0) continue;
      taken.heap.push({ at: n, value: heap() });
      taken.host.push({ at: n, value: process.memoryUsage.rss() });
      taken.kernel.push({ at: n, value: await residentBytes(pid) });
      if (gauge !== undefined) taken.stored.push({ at: n, value: await gauge.bytes() });
      options.onProgress?.(n);
    }
    return {
      cells,
      toolCalls,
      seconds: (performance.now() - from) / 1000,
      hostHeap: trendOf(taken.heap),
      hostResident: trendOf(taken.host),
      kernelResident: trendOf(taken.kernel),
      stored: folder === undefined ? undefined : trendOf(taken.stored),
    };
  }
}

function series(): { at: number; value: number }[] {
  return [];
}

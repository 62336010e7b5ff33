import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The objects of this process that something still refers to, in bytes: what a leak is, without what waits to be collected. */
export function createHeapGauge(): () => number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  return () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
}

import { describe, expect, it } from "vitest";
import { deniedCalls } from "../../src/sandbox/seccomp/denied-calls.js";
import { hasSeccompFilter, seccompFilter } from "../../src/sandbox/seccomp/seccomp-filter.js";
import { simulateFilter } from "../support/simulate-filter.js";

const allow = 0x7fff0000;
const refuse = (errno: number) => 0x00050000 | errno;
const processors = [
  { name: "x64", arch: 0xc000003e, column: 0, read: 0, clone: 56, clone3: 435, socket: 41, ioctl: 16 },
  { name: "arm64", arch: 0xc00000b7, column: 1, read: 63, clone: 220, clone3: 435, socket: 198, ioctl: 29 },
] as const;

describe.each(processors)("the filter of system calls for $name", ({ name, arch, column, ...nr }) => {
  const judge = (number: number, args?: number[]) => simulateFilter(seccompFilter(name), { nr: number, arch, args });

  it("lets through what programs do", () => {
    expect(judge(nr.read)).toBe(allow);
  });

  it("refuses every call of the table that the processor has", () => {
    const numbers = Object.values(deniedCalls).map((row) => row[column]);
    for (const number of numbers) if (number !== undefined) expect(judge(number)).toBe(refuse(1));
  });

  it("lets threads and processes be made, and no namespaces", () => {
    expect(judge(nr.clone, [0x3d0f00])).toBe(allow);
    expect(judge(nr.clone, [17])).toBe(allow);
    for (const namespace of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
      expect(judge(nr.clone, [namespace | 17])).toBe(refuse(1));
    expect(judge(nr.clone3)).toBe(refuse(38));
  });

  it("lets sockets be made of the families that a network namespace holds", () => {
    for (const family of [1, 2, 10, 16]) expect(judge(nr.socket, [family])).toBe(allow);
    for (const family of [17, 38, 40]) expect(judge(nr.socket, [family])).toBe(refuse(97));
  });

  it("refuses to put words into a terminal's mouth", () => {
    expect(judge(nr.ioctl, [0, 0x5401])).toBe(allow);
    expect(judge(nr.ioctl, [0, 0x5412])).toBe(refuse(1));
    expect(judge(nr.ioctl, [0, 0x541c])).toBe(refuse(1));
  });

  it("ends a process that calls in another architecture's manner", () => {
    expect(simulateFilter(seccompFilter(name), { nr: nr.read, arch: 0x40000003 })).toBe(0x80000000);
  });
});

describe("the filter of system calls", () => {
  it("refuses the x32 manner of calling, whose numbers are others", () => {
    expect(simulateFilter(seccompFilter("x64"), { nr: 0x40000000, arch: 0xc000003e })).toBe(refuse(38));
  });

  it("is there for two processors, and says so", () => {
    expect(["x64", "arm64", "s390x"].map(hasSeccompFilter)).toEqual([true, true, false]);
  });
});

import {
  assemble,
  type Instruction,
  load,
  unlessEqual,
  verdict,
  whenAnyBit,
  whenAtLeast,
  whenEqual,
} from "./assemble.js";
import { deniedCalls, judgedCalls } from "./denied-calls.js";

/** The processors that the filter is written for, by Node's names for them, with the kernel's. */
const architectures = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
} as const;

export type SeccompArchitecture = keyof typeof architectures;

/** Whether there is a filter for this processor, by Node's name of it. */
export function hasSeccompFilter(architecture: string): architecture is SeccompArchitecture {
  return Object.hasOwn(architectures, architecture);
}

const allow = verdict(0x7fff0000);
const killProcess = verdict(0x80000000);
const fail = (errno: number) => verdict(0x00050000 | errno);
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

// Offsets in the record of a call: its number, its architecture, the low words of its arguments.
const number = load(0);
const architecture = load(4);
const argument = (index: number) => load(16 + index * 8);

/** CLONE_NEWNS, -NEWCGROUP, -NEWUTS, -NEWIPC, -NEWUSER, -NEWPID, -NEWNET. */
const newNamespaces = 0x7e020000;
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. What is left out reaches past a network namespace, as AF_VSOCK does. */
const socketFamilies = [1, 2, 10, 16];
/** TIOCSTI and TIOCLINUX put words into a terminal's mouth. */
const terminalRequests = [0x5412, 0x541c];
/** Calls of the x32 interface have this bit, and other numbers. */
const x32Calls = 0x40000000;

/** A seccomp program that lets through what cells need: all but the calls of `deniedCalls` and some uses of `judgedCalls`. */
export function seccompFilter(processor: SeccompArchitecture): Uint8Array {
  const { audit, column } = architectures[processor];
  const call = (numbers: readonly [number, number | undefined], then: readonly Instruction[]) => {
    const value = numbers[column];
    return value === undefined ? [] : whenEqual(value, then);
  };
  return assemble([
    architecture,
    ...unlessEqual(audit, [killProcess]),
    number,
    ...(processor === "x64" ? whenAtLeast(x32Calls, [fail(ENOSYS)]) : []),
    ...Object.values(deniedCalls).flatMap((numbers) => call(numbers, [fail(EPERM)])),
    // Its flags are in memory, where no filter can look; libraries fall back to clone.
    ...call(judgedCalls.clone3, [fail(ENOSYS)]),
    ...call(judgedCalls.clone, [argument(0), ...whenAnyBit(newNamespaces, [fail(EPERM)]), allow]),
    ...call(judgedCalls.socket, [
      argument(0),
      ...socketFamilies.flatMap((family) => whenEqual(family, [allow])),
      fail(EAFNOSUPPORT),
    ]),
    ...call(judgedCalls.ioctl, [
      argument(1),
      ...terminalRequests.flatMap((request) => whenEqual(request, [fail(EPERM)])),
      allow,
    ]),
    allow,
  ]);
}

import { expect, it } from "vitest";
import { machineSearchPath, pythonsOf } from "../../src/session/machine-search-path.js";

it("an active environment is left out of the machine's own search path, wherever it stands in it", () => {
  const host = { PATH: "/a:/env/bin:/b:/conda/bin", VIRTUAL_ENV: "/env", CONDA_PREFIX: "/conda" };
  expect(machineSearchPath(host)).toBe("/a:/b");
  expect(machineSearchPath({ PATH: "/a:/env/bin" })).toBe("/a:/env/bin");
});

it("an environment's interpreter lies elsewhere on Windows [X3-24]", () => {
  expect(pythonsOf("/env", "win32")).toEqual(["/env/Scripts/python.exe", "/env/python.exe"]);
  expect(pythonsOf("/env", "darwin")).toEqual(["/env/bin/python", "/env/bin/python3"]);
});

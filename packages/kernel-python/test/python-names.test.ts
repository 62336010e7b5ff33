import { expect, it } from "vitest";
import { pythonNames } from "../src/python-names.js";

it.each(["linux", "darwin"] as const)("interpreters are called python3 or python on %s [X3-23]", (platform) => {
  expect(pythonNames(platform)).toEqual({ onPath: ["python3", "python"], inEnvironment: "bin/python" });
});

it("interpreters are called python.exe on Windows, and lie in Scripts [X3-24]", () => {
  expect(pythonNames("win32")).toEqual({ onPath: ["python.exe"], inEnvironment: "Scripts/python.exe" });
});

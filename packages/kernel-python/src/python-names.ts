/** What interpreters are called on a platform. */
export interface PythonNames {
  /** In the folders of the search path, in the order of preference. */
  onPath: readonly string[];
  /** Below a virtual environment's folder. */
  inEnvironment: string;
}

export function pythonNames(platform: NodeJS.Platform = process.platform): PythonNames {
  return platform === "win32"
    ? { onPath: ["python.exe"], inEnvironment: "Scripts/python.exe" }
    : { onPath: ["python3", "python"], inEnvironment: "bin/python" };
}

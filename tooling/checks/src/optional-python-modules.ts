/** Files of the Python program that are read only where another package is there, and what they import of it. */
export const optionalPythonModules: Readonly<Record<string, readonly string[]>> = {
  "ipython_engine.py": ["IPython", "traitlets"],
  "ipython_shell.py": ["IPython", "traitlets"],
};

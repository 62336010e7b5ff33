/** Files of the Python program that use another package only where it is there, and what they import of it. */
export const optionalPythonModules: Readonly<Record<string, readonly string[]>> = {
  "ipython_engine.py": ["IPython", "traitlets"],
  "ipython_shell.py": ["IPython", "traitlets"],
  "snapshot_pickle.py": ["cloudpickle"],
  "tables.py": ["numpy", "pandas"],
};

/** The one folder of the host that cells see, under its own path. */
export interface Workspace {
  path: string;
  /** `ro`: cells read it; `rw`: they change it too. */
  mode: "ro" | "rw";
}

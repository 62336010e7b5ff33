/** A virtual environment that a session's Python cells have to themselves: nothing of the machine's packages is in it. */
export interface VenvOptions {
  /** The version of Python, such as `3.12` or `3.12.1`. Default: the interpreter that is named, else the machine's own. */
  python?: string | undefined;
  /** What is installed into it, as pip writes requirements. Deps of the session come on top. */
  packages?: readonly string[] | undefined;
}

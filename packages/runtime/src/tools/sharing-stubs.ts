/** The handles for what cells share, as they stand in a `.pyi` file. */
export const pythonSharingStubs: readonly string[] = [
  "class _Shared:",
  '    """What cells of either language share: `shared.rows`, `dir(shared)`, `"rows" in shared`, `del shared.rows`."""',
  "    def __getattr__(self, name: str) -> Any: ...",
  "    def __setattr__(self, name: str, value: Any) -> None: ...",
  "    def __delattr__(self, name: str) -> None: ...",
  "    def __getitem__(self, name: str) -> Any: ...",
  "    def __setitem__(self, name: str, value: Any) -> None: ...",
  "    def __delitem__(self, name: str) -> None: ...",
  "    def __contains__(self, name: object) -> bool: ...",
  "    def __iter__(self) -> Any: ...",
  "    def __len__(self) -> int: ...",
  "",
  "def share(name: str, value: Any) -> None:",
  '    """Hands a value to cells of either language, as `take(name)` and `shared.<name>`. They get a copy."""',
  "    ...",
  "def take(name: str, table: bool = False) -> Any:",
  '    """A copy of what was shared by this name. `table=True` makes a pandas DataFrame of records."""',
  "    ...",
  "def unshare(name: str) -> bool:",
  '    """Lets go of a shared value; tells whether there was one."""',
  "    ...",
  "shared: _Shared",
];

/** The same as they stand in a `.d.ts` file. */
export const typescriptSharingStubs: readonly string[] = [
  "/** Hands a value to cells of either language, as `take(name)` and `shared.<name>`. They get a copy. */",
  "declare function share(name: string, value: unknown): Promise<void>;",
  "/** A copy of what was shared by this name. */",
  "declare function take<T = any>(name: string): Promise<T>;",
  "/** Lets go of a shared value; tells whether there was one. */",
  "declare function unshare(name: string): Promise<boolean>;",
  "/** What cells of either language share: `await shared.rows`, `Object.keys(shared)`, `delete shared.rows`. */",
  "declare const shared: { [name: string]: Promise<any> };",
];

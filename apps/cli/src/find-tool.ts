import type { Session, ToolInfo } from "artificer";

/** The tool at a path such as `curl.get`. @throws ArtificerError `tool/unknown-toolkit`, `tool/unknown-tool`, naming the nearest. */
export async function findTool(session: Session, path: string): Promise<ToolInfo> {
  const listed = (await session.listTools()).find((tool) => tool.path === path);
  if (listed !== undefined) return listed;
  const dot = path.indexOf(".");
  return dot === -1 ? session.toolset.find(path, "") : session.toolset.find(path.slice(0, dot), path.slice(dot + 1));
}

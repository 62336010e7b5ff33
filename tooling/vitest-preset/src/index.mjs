export { preset } from "./preset.mjs";
export { workspaceProjects } from "./workspace-projects.mjs";

import { buildRouteMap } from "@stricli/core";
import { ownNames } from "../own-names.js";
import { getCommand } from "./artifacts/get.js";
import { listCommand } from "./artifacts/list.js";
import { putCommand } from "./artifacts/put.js";
import { removeCommand } from "./artifacts/rm.js";

export const artifactsRoutes = buildRouteMap({
  routes: ownNames({ list: listCommand, get: getCommand, put: putCommand, rm: removeCommand }),
  aliases: ownNames({}),
  docs: {
    brief: "Values and files that are kept: list, read, write",
    fullDescription: `Artifacts are named values and files kept beyond a session; cells see them as artifacts.load("name").

  artificer artifacts put reports/may.json may.json
  artificer artifacts list --prefix reports/
  artificer artifacts get reports/may.json -o copy.json`,
  },
});

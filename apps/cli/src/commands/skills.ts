import { buildRouteMap } from "@stricli/core";
import { ownNames } from "../own-names.js";
import { addCommand } from "./skills/add.js";
import { invokeCommand } from "./skills/invoke.js";
import { listCommand } from "./skills/list.js";
import { removeCommand } from "./skills/rm.js";
import { searchCommand } from "./skills/search.js";
import { showCommand } from "./skills/show.js";

export const skillsRoutes = buildRouteMap({
  routes: ownNames({
    list: listCommand,
    search: searchCommand,
    show: showCommand,
    add: addCommand,
    rm: removeCommand,
    invoke: invokeCommand,
  }),
  aliases: ownNames({}),
  docs: {
    brief: "The skills that are kept: find, read, add, run",
    fullDescription: `Skills are files with a function run() and a description, kept in the base's skills/ folder.

  artificer skills add count_words.py --description "Count the words of a text file"
  artificer skills search "how long is this document"
  artificer skills invoke count_words --arg path=README.md`,
  },
});

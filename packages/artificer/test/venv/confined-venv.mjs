// Opens a base whose cells have a virtual environment, runs a cell in it and prints its outcome as JSON. Arguments: the base,
// an interpreter, a folder of wheels.

import { Session } from "artificer";

const [base, python, wheels] = process.argv.slice(2);
const session = await Session.subprocess(base, {
  embedder: null,
  snapshot: false,
  venv: { packages: ["local_one"] },
  hostEnv: { ...process.env, PIP_NO_INDEX: "1", PIP_FIND_LINKS: wheels, UV_NO_INDEX: "1", UV_FIND_LINKS: wheels },
});
const { status, value, error } = await session.run("import sys, local_one\n(sys.prefix, local_one.version)");
await session.close();
process.stdout.write(JSON.stringify({ status, value, error, python }));

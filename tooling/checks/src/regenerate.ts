// `pnpm regenerate`: writes the files that are made from others. Review what changed: it is what the outside will see.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodesPage, renderErrorCodesPage } from "./error-codes-page.js";
import { executorsPage, withExecutorMatrix } from "./executor-matrix.js";
import { readSource } from "./read-source.js";
import { repositoryRoot } from "./repository-root.js";
import { currentSurface, surfaceFile } from "./surface.js";

writeFileSync(join(repositoryRoot, errorCodesPage), renderErrorCodesPage());
writeFileSync(join(repositoryRoot, executorsPage), withExecutorMatrix(readSource(executorsPage)));
writeFileSync(join(repositoryRoot, surfaceFile), `${JSON.stringify(currentSurface(), null, 2)}\n`);
console.log(
  `Wrote ${errorCodesPage}, the matrix in ${executorsPage}, and ${surfaceFile}. Look at what changed before you commit it.`,
);

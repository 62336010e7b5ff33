import type { Language, OutcomeError } from "@artificer/protocol";
import type { HintFacts } from "./failure-hint.js";

/** Packages that are not called as what they are imported by. */
const packageOf: Record<string, string> = {
  attr: "attrs",
  bs4: "beautifulsoup4",
  Crypto: "pycryptodome",
  cv2: "opencv-python-headless",
  dateutil: "python-dateutil",
  docx: "python-docx",
  dotenv: "python-dotenv",
  fitz: "pymupdf",
  github: "PyGithub",
  jwt: "PyJWT",
  magic: "python-magic",
  OpenSSL: "pyOpenSSL",
  PIL: "pillow",
  pptx: "python-pptx",
  psycopg2: "psycopg2-binary",
  serial: "pyserial",
  skimage: "scikit-image",
  sklearn: "scikit-learn",
  yaml: "pyyaml",
};

/** How to come by a package that an import did not find. */
export function missingModuleHint(error: OutcomeError, language: Language, facts: HintFacts): string | undefined {
  if (language === "typescript") {
    const name = /Cannot find (?:package|module) '([^'./][^']*)'/.exec(error.message)?.[1];
    if (name === undefined) return undefined;
    return `${name} is not installed where this session imports from: node_modules of its own folder and of its base. deps holds Python packages only.`;
  }
  if (error.type !== "ModuleNotFoundError") return undefined;
  // With a dot in it, the package itself was found.
  const module = /^No module named '([^'.]+)'$/.exec(error.message)?.[1];
  if (module === undefined) return undefined;
  const name = packageOf[module] ?? module;
  if (facts.depsClosed === "locked")
    return `${module} is not installed, and this session's packages are locked: cells can't add any. Do without it, or ask the host to add ${name} to requirements.txt; deps.list() tells what there is.`;
  if (facts.depsClosed === "no installer")
    return `${module} is not installed, and this session can't install packages. Do without it, or ask the host for an interpreter that has ${name}.`;
  return `${module} is not installed. If it is a package: deps.add(${JSON.stringify(name)}), then import it again; a module of your own must lie where sys.path looks.`;
}

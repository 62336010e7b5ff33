export { createLocalEmbedder, type LocalEmbedderOptions } from "./create-local-embedder.js";

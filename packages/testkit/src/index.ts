export { testEmbedder } from "./embedder/test-embedder.js";

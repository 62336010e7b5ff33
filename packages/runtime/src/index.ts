export { createMemoryStorage } from "./storage/create-memory-storage.js";

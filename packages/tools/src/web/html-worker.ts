import { parentPort } from "node:worker_threads";
import { htmlToMarkdown } from "./html-to-markdown.js";

/** A page to read, and what became of it. */
export interface HtmlTask {
  id: number;
  html: string;
  url: string;
}

// Some markup takes minutes to walk: here that holds up nobody, and the thread can be ended.
parentPort?.on("message", ({ id, html, url }: HtmlTask) => {
  parentPort?.postMessage({ id, page: htmlToMarkdown(html, new URL(url)) });
});

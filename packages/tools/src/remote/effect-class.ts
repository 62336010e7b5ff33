import { z } from "zod";

/** The effect classes, as a definition writes them. */
export const effectClass = z.enum(["read", "write", "destructive", "egress"]);

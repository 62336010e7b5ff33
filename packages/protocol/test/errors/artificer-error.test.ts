import { describe, expect, it } from "vitest";
import { ArtificerError, errorFromJson, toArtificerError } from "../../src/errors/artificer-error.js";
import { errorCodes } from "../../src/errors/error-codes.js";

describe("an ArtificerError", () => {
  it("crosses a boundary as JSON and comes back with code, message, hint and details", () => {
    const error = new ArtificerError("tool/unknown-tool", "There is no curl.gte.", {
      details: { nearest: "get" },
      hint: "Did you mean get?",
    });
    const back = errorFromJson(JSON.parse(JSON.stringify(error)));
    expect(back).toMatchObject({
      code: "tool/unknown-tool",
      message: error.message,
      hint: error.hint,
      details: { nearest: "get" },
    });
  });

  it("is recognised by its brand, not its class", () => {
    const foreign = Object.assign(new Error("x"), { code: "tool/failed", [Symbol.for("artificer.error")]: true });
    expect(ArtificerError.is(foreign)).toBe(true);
    expect(ArtificerError.is(foreign, "tool/denied")).toBe(false);
    expect(ArtificerError.is(new Error("x"))).toBe(false);
    expect(ArtificerError.is(null)).toBe(false);
  });

  it("with an unknown code from outside becomes the fallback", () => {
    expect(errorFromJson({ code: "made/up", message: "m" }, "tool/failed").code).toBe("tool/failed");
    expect(errorFromJson({ code: "toString", message: "m" }).code).toBe("internal/fault");
  });

  it("wraps anything thrown and keeps it as the cause", () => {
    expect(toArtificerError("text", "tool/failed")).toMatchObject({
      code: "tool/failed",
      message: "text",
      cause: "text",
    });
  });

  it("has codes of one shape", () => {
    for (const code of Object.keys(errorCodes)) expect(code).toMatch(/^[a-z]+\/[a-z]+(-[a-z]+)*$/);
  });
});

import { describe, expect, it } from "vitest";
import { sessionId } from "../../src/session/session-id.js";

describe("a session's id", () => {
  it("is the one given, or a random one", () => {
    expect(sessionId("trip-planning")).toBe("trip-planning");
    expect(sessionId(undefined)).not.toBe(sessionId(undefined));
  });

  it.each(["u1/python", "", "..", ".hidden", "a\\b", "a\nb", " a"])(
    "may not be %j: what is kept of one session never lies among that of another",
    (id) => {
      expect(() => sessionId(id)).toThrow(
        expect.objectContaining({ code: "usage/invalid-argument", hint: expect.any(String) }),
      );
    },
  );
});

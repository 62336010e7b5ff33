import { ArtificerError, encodeValue, type ToolCallContext, type Toolkit } from "@artificer/protocol";
import { describe, expect, it } from "vitest";

/** A call by name and arguments. */
export interface SampleCall {
  tool: string;
  args: Record<string, unknown>;
}

/** A toolkit to be proved, with calls that behave in known ways. */
export interface ToolkitSubject {
  toolkit: Toolkit;
  /** Gives a value. */
  good: SampleCall;
  /** Fails by the tool's own doing. */
  failing: SampleCall;
  /** Takes longer than any test waits. */
  slow: SampleCall;
  /** Ends whatever the subject needed besides the toolkit. */
  cleanup?: () => Promise<void> | void;
}

const effects = ["read", "write", "destructive", "egress"];

/**
 * The contract that every toolkit keeps, whatever stands behind it.
 *
 * @param open gives a fresh subject for each case
 */
export function testToolkit(name: string, open: () => Promise<ToolkitSubject>): void {
  const within = async (work: (subject: ToolkitSubject) => Promise<void>) => {
    const subject = await open();
    try {
      await work(subject);
    } finally {
      await subject.toolkit.close?.();
      await subject.cleanup?.();
    }
  };
  const context = (signal = new AbortController().signal): ToolCallContext => ({
    signal,
    session: "contract",
    cell: 1,
  });
  const call = ({ toolkit }: ToolkitSubject, { tool, args }: SampleCall, signal?: AbortSignal) =>
    toolkit.call(tool, args, context(signal));
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      (value) => expect.fail(`It should have been refused, and gave ${JSON.stringify(value)}.`),
      (error: unknown) => error,
    );

  describe(`toolkit contract: ${name}`, () => {
    it("toolkit.tools — are named uniquely, take objects, and say what they do to the world", () =>
      within(async ({ toolkit }) => {
        expect(toolkit.name).not.toBe("");
        expect(toolkit.tools.length).toBeGreaterThan(0);
        const names = toolkit.tools.map((tool) => tool.name);
        expect(new Set(names).size).toBe(names.length);
        for (const tool of toolkit.tools) {
          expect(tool.inputSchema.type).toBe("object");
          expect(effects).toContain(tool.effect);
          expect(tool.description).toBeTypeOf("string");
          expect(JSON.parse(JSON.stringify(tool))).toMatchObject({ name: tool.name });
        }
      }));

    it("toolkit.call — gives a value that can cross to a kernel", () =>
      within(async (subject) => {
        const value = await call(subject, subject.good);
        expect(() => encodeValue(value)).not.toThrow();
      }));

    it("toolkit.call — keeps gathered calls apart", () =>
      within(async (subject) => {
        const calls = [subject.good, subject.failing, subject.good, subject.failing];
        const settled = await Promise.allSettled(calls.map((each) => call(subject, each)));
        expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
      }));

    it("toolkit.call — raises a tool's failure as an error of ours, and goes on", () =>
      within(async (subject) => {
        const error = await refusal(call(subject, subject.failing));
        expect(ArtificerError.is(error)).toBe(true);
        expect((error as ArtificerError).code).toMatch(/^tool\//);
        await call(subject, subject.good);
      }));

    it("toolkit.call — refuses a tool that it does not have", () =>
      within(async (subject) => {
        const error = await refusal(call(subject, { tool: "no such tool", args: {} }));
        expect(error).toMatchObject({ code: "tool/unknown-tool" });
      }));

    it("toolkit.call — ends with its caller, passing the caller's own reason on", () =>
      within(async (subject) => {
        const controller = new AbortController();
        const reason = new ArtificerError("tool/timed-out", "The caller's clock.");
        const pending = refusal(call(subject, subject.slow, controller.signal));
        setTimeout(() => controller.abort(reason), 50);
        expect(await pending).toBe(reason);
        await call(subject, subject.good);
      }));

    it("toolkit.call — is refused when its caller has given up before", () =>
      within(async (subject) => {
        const error = await refusal(call(subject, subject.good, AbortSignal.abort()));
        expect(error).toMatchObject({ code: "tool/cancelled" });
      }));

    it("toolkit.close — may be called twice, and ends what is under way", () =>
      within(async (subject) => {
        const pending = refusal(call(subject, subject.slow));
        await new Promise((resolve) => setTimeout(resolve, 50));
        await subject.toolkit.close?.();
        await subject.toolkit.close?.();
        if (subject.toolkit.close === undefined) return;
        expect(ArtificerError.is(await pending)).toBe(true);
        expect(ArtificerError.is(await refusal(call(subject, subject.good)))).toBe(true);
      }));
  });
}

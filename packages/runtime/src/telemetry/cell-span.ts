import type { OutcomeData, ToolCallRecord } from "@artificer/protocol";
import type { Span } from "@opentelemetry/api";
import { openTelemetry } from "./open-telemetry.js";

/** The span of a running cell, and below it one for each tool call. */
export interface CellSpan {
  /** A call began, or has ended. */
  call(record: ToolCallRecord, index: number): void;
  end(outcome: OutcomeData): void;
}

/**
 * Begins the span of a cell, below whatever span is active where the host called `run`. Undefined where @opentelemetry/api is not
 * installed: then nothing is traced and nothing is paid.
 */
export function cellSpan(about: { session: string; cell: number; language: string }): CellSpan | undefined {
  const api = openTelemetry();
  if (api === undefined) return undefined;
  const { trace, context, SpanKind, SpanStatusCode } = api;
  const tracer = trace.getTracer("artificer");
  const { session, cell, language } = about;
  const common = { "artificer.session": session, "artificer.cell": cell };
  const span = tracer.startSpan("cell", {
    kind: SpanKind.INTERNAL,
    attributes: { ...common, "artificer.language": language },
  });
  if (!span.isRecording()) return undefined;
  const below = trace.setSpan(context.active(), span);
  const calls = new Map<number, Span>();
  const fail = (of: Span, error: { code: string; message: string } | undefined) => {
    if (error === undefined) return;
    of.setAttribute("error.type", error.code);
    of.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  };
  const startCall = (tool: string) =>
    tracer.startSpan(
      `execute_tool ${tool}`,
      {
        kind: SpanKind.CLIENT,
        attributes: { ...common, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool },
      },
      below,
    );
  return {
    call({ tool, status, reached, resultBytes, error, approval, cached }, index) {
      const begun = calls.get(index);
      if (status === "pending") {
        if (begun === undefined) calls.set(index, startCall(tool));
        return;
      }
      const of = begun ?? startCall(tool);
      calls.delete(index);
      of.setAttributes({
        "artificer.status": status,
        "artificer.reached": reached,
        "artificer.result_bytes": resultBytes,
      });
      if (approval !== undefined) of.setAttribute("artificer.approval", approval);
      if (cached === true) of.setAttribute("artificer.cached", true);
      fail(of, error);
      of.end();
    },
    end({ status, error, generation, toolCalls }) {
      span.setAttributes({
        "artificer.status": status,
        "artificer.generation": generation,
        "artificer.tool_calls": toolCalls.length,
      });
      fail(span, error);
      span.end();
    },
  };
}

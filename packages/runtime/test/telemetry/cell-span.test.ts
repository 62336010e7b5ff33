import type { OutcomeData, ToolCallRecord } from "@artificer/protocol";
import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cellSpan } from "../../src/telemetry/cell-span.js";

const about = { session: "s", cell: 3, language: "python" };
const record = (more: Partial<ToolCallRecord>): ToolCallRecord => ({
  tool: "shop.price",
  status: "pending",
  reached: false,
  durationMs: 0,
  resultBytes: 0,
  ...more,
});
const outcome = (more: Partial<OutcomeData> = {}) =>
  ({ status: "completed", generation: 1, toolCalls: [1], ...more }) as OutcomeData;

describe("without a registered tracer", () => {
  it("nothing is traced", () => {
    expect(cellSpan(about)).toBeUndefined();
  });
});

describe("with the SDK of OpenTelemetry registered by the host [A3]", () => {
  const exporter = new InMemorySpanExporter();
  beforeEach(() => {
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  });
  afterEach(() => {
    exporter.reset();
    trace.disable();
    context.disable();
  });

  it("a cell is a span below the host's own, and each nested call one below the cell's, with bytes, status and errors", () => {
    const host = trace.getTracer("host").startSpan("turn");
    context.with(trace.setSpan(context.active(), host), () => {
      const span = cellSpan(about)!;
      span.call(record({}), 0);
      span.call(record({ tool: "shop.buy" }), 1);
      span.call(record({ status: "completed", reached: true, resultBytes: 12, cached: true }), 0);
      span.call(
        record({
          tool: "shop.buy",
          status: "refused",
          approval: "denied",
          error: { code: "approval/denied", message: "no" },
        }),
        1,
      );
      span.end(outcome());
    });
    host.end();
    const [price, buy, cell, turn] = exporter.getFinishedSpans();
    expect(price).toMatchObject({
      name: "execute_tool shop.price",
      attributes: {
        "gen_ai.tool.name": "shop.price",
        "artificer.session": "s",
        "artificer.cell": 3,
        "artificer.status": "completed",
        "artificer.reached": true,
        "artificer.result_bytes": 12,
        "artificer.cached": true,
      },
    });
    expect(buy).toMatchObject({
      status: { code: SpanStatusCode.ERROR, message: "no" },
      attributes: { "error.type": "approval/denied", "artificer.reached": false, "artificer.approval": "denied" },
    });
    expect(cell).toMatchObject({
      name: "cell",
      attributes: { "artificer.status": "completed", "artificer.tool_calls": 1 },
    });
    for (const call of [price, buy]) expect(call!.parentSpanContext?.spanId).toBe(cell!.spanContext().spanId);
    expect(cell!.parentSpanContext?.spanId).toBe(turn!.spanContext().spanId);
  });
});

import {
  context,
  type Context,
  diag,
  DiagLogLevel,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry-v2/lib/client/index.js';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
} from '@temporalio/interceptors-opentelemetry-v2/lib/worker/index.js';
import type { TraceParent, Traces } from '#domain/tracing.ts';
import type { Tracing, TracingLog } from './spans.ts';

function parentOf(span: Span): TraceParent {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** The caller's context, below the place that `parent` names. */
const below = (parent: TraceParent): Context => propagation.extract(ROOT_CONTEXT, { traceparent: parent });

const linkTo = (span: Span | undefined): Link[] => (span ? [{ context: span.spanContext() }] : []);

function failed(span: Span, error: unknown): never {
  span.recordException(error instanceof Error ? error : String(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
  throw error;
}

function createTraces(tracer: Tracer): Traces {
  const active = () => trace.getSpan(context.active());
  return {
    current: () => {
      const span = active();
      return span && parentOf(span);
    },
    async within(name, [first, ...others], work) {
      const links = first === undefined ? [] : linkTo(active());
      const span = tracer.startSpan(name, { links }, first === undefined ? context.active() : below(first));
      const startTime = new Date();
      try {
        return await context.with(trace.setSpan(context.active(), span), work);
      } catch (error) {
        return failed(span, error);
      } finally {
        span.end();
        for (const other of others) tracer.startSpan(name, { startTime, links: linkTo(span) }, below(other)).end();
      }
    },
    ended({ name, parent, startedAt, endedAt, facts = {} }) {
      const links = linkTo(active());
      const span = tracer.startSpan(name, { startTime: startedAt, attributes: facts, links }, below(parent));
      span.end(endedAt);
      return parentOf(span);
    },
    apart: (work) => context.with(ROOT_CONTEXT, work),
  };
}

const serveBy =
  (tracer: Tracer): Tracing['serve'] =>
  ({ method = 'GET', headers }, work) => {
    const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } };
    const callers = propagation.extract(ROOT_CONTEXT, headers);
    return tracer.startActiveSpan(method, options, callers, async (span) => {
      try {
        const { route, status, facts } = await work();
        span.updateName(`${method} ${route}`);
        span.setAttributes({ ...facts, 'http.route': route, 'http.response.status_code': status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      } catch (error) {
        failed(span, error);
      } finally {
        span.end();
      }
    });
  };

/** What goes wrong with sending spans is a line in the log, and nothing else. */
function logProblems(logger: TracingLog): void {
  const warn = (message: string) => logger.warn({ detail: message }, 'traces');
  const ignore = () => {};
  const to = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(to, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** Spans of this process, sent by OTLP over HTTP (JSON); what else OTEL_* variables say applies, too. */
export function createTracing(given: { service: string; endpoint: string; logger: TracingLog }): Tracing {
  logProblems(given.logger);
  const resource = resourceFromAttributes({ 'service.name': given.service }).merge(
    detectResources({ detectors: [envDetector] }),
  );
  const processor = new BatchSpanProcessor(new OTLPTraceExporter({ url: `${given.endpoint}/v1/traces` }));
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] });
  provider.register();
  const calls = new UndiciInstrumentation({ requireParentforSpans: true });
  calls.setTracerProvider(provider);
  const tracer = provider.getTracer('outreach-platform');
  return {
    ...createTraces(tracer),
    traceId: () => trace.getSpan(context.active())?.spanContext().traceId,
    serve: serveBy(tracer),
    temporal: {
      client: new OpenTelemetryWorkflowClientInterceptor(),
      activity: (ctx) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(ctx) }),
      sinks: { exporter: makeWorkflowExporter(processor, resource) },
    },
    close: async () => {
      calls.disable();
      await provider.shutdown();
    },
  };
}

import type { IncomingHttpHeaders } from 'node:http';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import type { SpanFacts, Traces } from '#domain/tracing.ts';

/** What a request turned out to be. */
export interface ServedRequest {
  /** Pattern of its path. */
  route: string;
  status: number;
  facts: SpanFacts;
}

/** Traces of a service, for its API and its worker. */
export interface Tracing extends Traces {
  /** The current trace. */
  traceId(): string | undefined;
  /** Serves a request within a span, which continues the trace that its headers name. */
  serve(
    request: { method?: string | undefined; headers: IncomingHttpHeaders },
    work: () => Promise<ServedRequest>,
  ): Promise<void>;
  /** For Temporal's clients and workers. */
  temporal: {
    client: WorkflowClientInterceptor;
    activity: ActivityInterceptorsFactory;
    sinks: InjectedSinks<Sinks>;
  };
  /** Sends what has not been sent yet. */
  close(): Promise<void>;
}

/** Where problems with sending spans are noted. */
export interface TracingLog {
  warn(fields: object, message: string): void;
}

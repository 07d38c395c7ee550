/** A place in a trace, as W3C's header `traceparent` has it. */
export type TraceParent = string;

export const traceParentPattern = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Of a span: what it was about, never who or what was said. */
export type SpanFacts = Record<string, string | number>;

/** Something that has ended. */
export interface EndedSpan {
  name: string;
  parent: TraceParent;
  startedAt: Date;
  endedAt: Date;
  facts?: SpanFacts;
}

/** Notes what was done for whom, as spans. There are none unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
export interface Traces {
  /** Where what is under way belongs. */
  current(): TraceParent | undefined;
  /**
   * Does something within a span of its own: below the first of the parents, or below what is under way if none is given.
   * What is done for several at once is in the trace of each.
   */
  within<Result>(name: string, parents: readonly TraceParent[], work: () => Promise<Result>): Promise<Result>;
  /** Notes what has been done. @returns where that belongs. */
  ended(span: EndedSpan): TraceParent;
  /** Does something that belongs to nothing that is under way. */
  apart<Result>(work: () => Result): Result;
}

/** Within a span if there are traces. */
export const within = <Result>(
  traces: Traces | null | undefined,
  name: string,
  parents: readonly TraceParent[],
  work: () => Promise<Result>,
): Promise<Result> => (traces ? traces.within(name, parents, work) : work());

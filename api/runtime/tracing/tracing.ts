import type { Tracing, TracingLog } from './spans.ts';

export type { Tracing };

let opened: Tracing | null = null;

/** The traces of this process: null unless it was started with OTEL_EXPORTER_OTLP_ENDPOINT. */
export const tracing = (): Tracing | null => opened;

/** Opens the traces of this process, once; without an endpoint nothing of OpenTelemetry is loaded. */
export async function openTracing(service: string, endpoint: string | null, logger: TracingLog): Promise<void> {
  if (endpoint === null) return;
  const { createTracing } = await import('./open-telemetry.ts');
  opened = createTracing({ service, endpoint, logger });
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { eventually } from '../time/eventually.ts';

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

interface OtlpBody {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

/** A span as a collector has it. */
export interface CollectedSpan extends OtlpSpan {
  service: string;
}

/** A receiver of spans: OTLP over HTTP, as JSON. */
export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /**
   * The names of the spans above the latest that has this name, from it up to the root of its trace, each with its service:
   * `tag@backend < rule@backend < …`. Waits until all of them are there.
   */
  lineOf(name: string): Promise<string>;
  /** The whole trace in which the latest span with this name is: each below its parent, with when it began and ended, in ms. */
  treeOf(name: string): string;
  close(): Promise<void>;
}

const shown = ({ name, service }: CollectedSpan) => `${name}@${service}`;

function lineFrom(spans: readonly CollectedSpan[], name: string): CollectedSpan[] | undefined {
  let span = spans.findLast((one) => one.name === name);
  const line: CollectedSpan[] = [];
  while (span) {
    line.push(span);
    const { traceId, parentSpanId } = span;
    if (!parentSpanId) return line;
    span = spans.find((one) => one.traceId === traceId && one.spanId === parentSpanId);
  }
  return undefined;
}

function treeFrom(spans: readonly CollectedSpan[], name: string): string {
  const traceId = spans.findLast((one) => one.name === name)?.traceId;
  const trace = spans
    .filter((one) => one.traceId === traceId)
    .toSorted((one, other) => Number(BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano)));
  const [root] = trace;
  const since = (time: string) => (Number(BigInt(time) - BigInt(root?.startTimeUnixNano ?? 0)) / 1e6).toFixed(1);
  const below = (parent: string | undefined, depth: number): string[] =>
    trace
      .filter(({ parentSpanId }) => (parentSpanId || undefined) === parent)
      .flatMap((span) => [
        `${'  '.repeat(depth)}${shown(span)} ${since(span.startTimeUnixNano)}–${since(span.endTimeUnixNano)}`,
        ...below(span.spanId, depth + 1),
      ]);
  return below(undefined, 0).join('\n');
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  async function take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    for (const { resource, scopeSpans } of ((await json(req)) as OtlpBody).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) spans.push({ ...span, service });
    }
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }
  const server = createServer((req, res) => void take(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    lineOf: async (name) => {
      const line = await eventually(`the trace of ${name} is complete`, () => lineFrom(spans, name), {
        timeoutMs: 30_000,
      });
      return line.map(shown).join(' < ');
    },
    treeOf: (name) => treeFrom(spans, name),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

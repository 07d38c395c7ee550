import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  args: { name?: string };
  /** Time that the thread itself spent, in microseconds. */
  tdur?: number;
}

/**
 * How long each task of the page's main thread took while `work` ran, in milliseconds of the thread's own time: what other
 * processes of a busy machine took in between, and `longtask` entries count in, is not the page's doing.
 */
export async function mainThreadTasks(browser: Browser, page: Page, work: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  let trace: Buffer;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args.name === 'CrRendererMain';
  const main = new Set(traceEvents.filter(isMain).map(threadOf));
  return traceEvents
    .filter((event) => main.has(threadOf(event)) && event.ph === 'X' && event.tdur !== undefined)
    .map(({ tdur = 0 }) => tdur / 1000);
}

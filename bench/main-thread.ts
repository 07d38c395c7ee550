import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  args: { name?: string };
  /** CPU time of the thread itself, in microseconds. */
  tdur?: number;
}

/**
 * The duration of each task of the page's main thread while `work` runs, in milliseconds of the thread's own CPU
 * time. Unlike `longtask` entries, it leaves out the time taken by other processes of a busy machine, which is
 * not the page's doing.
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

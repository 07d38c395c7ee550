import type { Frame, Page } from 'playwright-core';

/** How far what was visible has moved since the page began (cumulative layout shift). */
export const shiftOf = (frame: Frame | Page): Promise<number> =>
  frame.evaluate(`(() => {
    const shifts = new PerformanceObserver(() => {});
    shifts.observe({ type: 'layout-shift', buffered: true });
    return shifts.takeRecords().reduce((sum, { value }) => sum + value, 0);
  })()`);

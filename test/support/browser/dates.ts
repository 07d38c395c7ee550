import type { Locator, Page } from 'playwright-core';

async function fill(group: Locator, values: Record<string, string>): Promise<void> {
  for (const [part, digits] of Object.entries(values)) {
    const segment = group.locator(`[data-segment=${part}]`);
    await segment.focus();
    await segment.pressSequentially(digits);
  }
}

/** Types a day such as 2026-11-24 into the parts of the date input with this label. */
export async function fillDate(on: Page | Locator, label: string, date: string): Promise<void> {
  const [year = '', month = '', day = ''] = date.split('-');
  await fill(on.getByRole('group', { name: label, exact: true }), { year, month, day });
}

/** Types a time such as 09:30 into the parts of the time input with this label. */
export async function fillTime(on: Page | Locator, label: string, time: string): Promise<void> {
  const [hour = '', minute = ''] = time.split(':');
  await fill(on.getByRole('group', { name: label, exact: true }), { hour, minute });
}

import type { Locator, Page } from 'playwright-core';
import { fillDate } from '../browser/dates.ts';

/**
 * Seconds that a person needs for one act, from the keystroke-level model: S. K. Card, T. P. Moran and A. Newell, "The
 * keystroke-level model for user performance time with interactive systems", Communications of the ACM 23 (7), 1980.
 * A key is the average non-secretary typist's; a click is a button pressed and released.
 */
export const pace = { think: 1.35, point: 1.1, click: 0.2, key: 0.28, handToKeyboard: 0.4 };

/** What a person does, apart from waiting. */
export interface Effort {
  clicks: number;
  /** Inputs that are typed or pasted into. */
  fields: number;
  /** Keys pressed in them. */
  keys: number;
  /** Clicks in a dialog of the system, which a browser's driver does not see: choosing a file. */
  systemClicks: number;
}

/** How long the effort takes at that pace: each click and field is thought about and pointed at once. */
export function secondsOf({ clicks, fields, keys, systemClicks }: Effort): number {
  const pointed = (clicks + systemClicks) * (pace.think + pace.point + pace.click);
  const typed = fields * (pace.think + pace.point + pace.click + pace.handToKeyboard) + keys * pace.key;
  return Math.round((pointed + typed) * 10) / 10;
}

/** A person at the page who thinks of nothing but the task; everything they do is counted. */
export function operatorOn(page: Page) {
  const effort: Effort = { clicks: 0, fields: 0, keys: 0, systemClicks: 0 };
  return {
    page,
    effort: (): Effort => ({ ...effort }),
    async click(target: Locator): Promise<void> {
      await target.click();
      effort.clicks += 1;
    },
    /** Types the digits of a day such as 2026-11-24, which lead from one part of the date to the next. */
    async typeDate(on: Locator, label: string, date: string): Promise<void> {
      await fillDate(on, label, date);
      effort.fields += 1;
      effort.keys += date.replaceAll('-', '').length;
    },
    /** Puts what was copied elsewhere into the input. */
    async paste(target: Locator, text: string): Promise<void> {
      await target.fill(text);
      effort.fields += 1;
      effort.keys += 2;
    },
    /** Opens the system's dialog by a click on the page, and there picks the file and confirms. */
    async giveFile(input: Locator, file: { name: string; lines: readonly string[] }): Promise<void> {
      const buffer = Buffer.from(`${file.lines.join('\r\n')}\r\n`);
      await input.setInputFiles({ name: file.name, mimeType: 'text/csv', buffer });
      effort.clicks += 1;
      effort.systemClicks += 2;
    },
    /** Waits until the console shows the answer. */
    see: (target: Locator): Promise<void> => target.waitFor(),
  };
}

export type Operator = ReturnType<typeof operatorOn>;

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { untilStill } from './stillness.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type Lists = 'whole' | 'begun';

interface Measure {
  /** That of targets came with WCAG 2.2, and is off unless it is asked for. */
  targetSizes?: boolean;
  /** Fewer than all, for another view of a page that was measured: colours are half of the time that axe takes. */
  rules?: Rules;
  /** Of lists with more than a dozen entries only the first, since all are drawn by the same parts. */
  longLists?: Lists;
  /** A selector; all of the page where absent. */
  within?: string;
}

const DOZEN = 12;
/** The entries of a list after the first dozen. */
export const laterEntries = ['tbody > tr', '[role=row]', 'li'].map(
  (entry) => `main ${entry}:nth-child(n + ${DOZEN + 1})`,
);

/** What axe looks at, as an expression. */
export const contextOf = (lists: Lists): string =>
  lists === 'whole' ? 'document' : JSON.stringify({ exclude: laterEntries.map((entry) => [entry]) });

export type Rules = 'all' | 'not of colours' | 'of colours' | 'of targets';

const colourRules = ['color-contrast', 'link-in-text-block'];
const enabled = (rules: string[], value: boolean) =>
  Object.fromEntries(rules.map((rule) => [rule, { enabled: value }]));

const optionsOf = ({ targetSizes = false, rules = 'all' }: Measure): object =>
  ({
    all: { rules: enabled(['target-size'], targetSizes) },
    'not of colours': { rules: { ...enabled(['target-size'], targetSizes), ...enabled(colourRules, false) } },
    'of colours': { runOnly: colourRules },
    'of targets': { runOnly: ['target-size'] },
  })[rules];

/** What was open may have closed since somebody looked. */
const ifPresent = (selector?: string) =>
  selector ? `!document.querySelector(${JSON.stringify(selector)}) ? [] :` : '';

/**
 * Reports violations only: the rules that pass would be most of what the page has to send. No rule that is on looks at
 * the style sheets themselves, which axe would otherwise read each time.
 */
const violations = (measure: Measure) => `${ifPresent(measure.within)} axe
  .run(${measure.within ? JSON.stringify({ include: [[measure.within]] }) : contextOf(measure.longLists ?? 'whole')}, ${JSON.stringify({ resultTypes: ['violations'], preload: { assets: ['media'] }, ...optionsOf(measure) })})
  .then(({ violations }) => violations.map(({ id, nodes }) => \`\${id}: \${nodes[0]?.html ?? ''}\`))`;

/** Loads axe into the page; it stays until the next document. */
export async function bringAxe(page: Page | Frame): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
}

/** Each accessibility rule that the page currently violates, with the first offending element. */
export async function violationsOf(page: Page | Frame, measure: Measure = {}): Promise<string[]> {
  // A document that has loaded may not have been drawn yet: it has no heading and no main part, which axe reports.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await bringAxe(page);
  // The contrast of a colour in transition cannot be measured.
  await untilStill(page);
  return page.evaluate<string[]>(violations(measure));
}

/** What may be open over a page. */
const overlays = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/**
 * For stories. `every-page.test.ts` measures the pages themselves, so only what is open over one is measured here;
 * `npm run test:all` measures each state of a page that a story passes through.
 */
export async function expectAccessible(page: Page | Frame): Promise<void> {
  const everyState = process.env['EVERY_COMBINATION'] === 'on';
  if (!everyState && (await page.locator(overlays).count()) === 0) return;
  expect(await violationsOf(page, everyState ? {} : { within: overlays })).to.deep.equal([]);
}

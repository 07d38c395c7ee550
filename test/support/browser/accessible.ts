import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { untilStill } from './stillness.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Measure {
  /** That of targets came with WCAG 2.2, and is off unless it is asked for. */
  targetSizes?: boolean;
  /** Half of the time that axe takes. `only`: for the other theme of a page that was measured. */
  colours?: 'measured' | 'only' | 'skipped';
}

const colourRules = ['color-contrast', 'link-in-text-block'];

/** Reports violations only: the rules that pass would be most of what the page has to send. */
const violations = ({ targetSizes = false, colours = 'measured' }: Measure) => {
  const skipped = colours === 'skipped' ? colourRules.map((rule) => [rule, { enabled: false }]) : [];
  const rules =
    colours === 'only'
      ? { runOnly: colourRules }
      : { rules: { 'target-size': { enabled: targetSizes }, ...Object.fromEntries(skipped) } };
  return `axe
    .run(document, ${JSON.stringify({ resultTypes: ['violations'], ...rules })})
    .then(({ violations }) => violations.map(({ id, nodes }) => \`\${id}: \${nodes[0]?.html ?? ''}\`))`;
};

/** Loads axe into the page; it stays until the next document. */
export async function bringAxe(page: Page | Frame): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
}

/** Each accessibility rule that the page currently violates, with the first offending element. */
export async function violationsOf(page: Page | Frame, measure: Measure = {}): Promise<string[]> {
  await bringAxe(page);
  // The contrast of a colour in transition cannot be measured.
  await untilStill(page);
  return page.evaluate<string[]>(violations(measure));
}

export async function expectAccessible(page: Page | Frame): Promise<void> {
  expect(await violationsOf(page)).to.deep.equal([]);
}

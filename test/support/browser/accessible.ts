import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { untilStill } from './stillness.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Reports violations only: the rules that pass would be most of what the page has to send. The rule about the size of
 * targets is off unless it is asked for, because it came with WCAG 2.2.
 */
const violations = (targetSizes: boolean) => `axe
  .run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: ${targetSizes} } } })
  .then(({ violations }) => violations.map(({ id, nodes }) => \`\${id}: \${nodes[0]?.html ?? ''}\`))`;

/** Loads axe into the page; it stays until the next document. */
export async function bringAxe(page: Page | Frame): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
}

/** Each accessibility rule that the page currently violates, with the first offending element. */
export async function violationsOf(page: Page | Frame, { targetSizes = false } = {}): Promise<string[]> {
  await bringAxe(page);
  // The contrast of a colour in transition cannot be measured.
  await untilStill(page);
  return page.evaluate<string[]>(violations(targetSizes));
}

export async function expectAccessible(page: Page | Frame): Promise<void> {
  expect(await violationsOf(page)).to.deep.equal([]);
}

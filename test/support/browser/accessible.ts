import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { untilStill } from './stillness.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Reports violations only: the rules that pass would be most of what the page has to send. */
const violations = `axe
  .run(document, { resultTypes: ['violations'] })
  .then(({ violations }) => violations.map(({ id, nodes }) => \`\${id}: \${nodes[0]?.html ?? ''}\`))`;

/** Loads axe into the page; it stays until the next document. */
export async function bringAxe(page: Page | Frame): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
}

/** Each accessibility rule that the page currently violates, with the first offending element. */
export async function violationsOf(page: Page | Frame): Promise<string[]> {
  await bringAxe(page);
  // The contrast of a colour in transition cannot be measured.
  await untilStill(page);
  return page.evaluate<string[]>(violations);
}

export async function expectAccessible(page: Page | Frame): Promise<void> {
  expect(await violationsOf(page)).to.deep.equal([]);
}

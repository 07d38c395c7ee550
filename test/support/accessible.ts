import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { untilStill } from './stillness.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** Each broken accessibility rule of the page as it stands now, with the first element that breaks it. */
export async function violationsOf(page: Page | Frame): Promise<string[]> {
  await page.evaluate(axe);
  // A colour on its way to another has no contrast to measure.
  await untilStill(page);
  const { violations } = await page.evaluate<AxeResult>('axe.run(document)');
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

export async function expectAccessible(page: Page | Frame): Promise<void> {
  expect(await violationsOf(page)).to.deep.equal([]);
}

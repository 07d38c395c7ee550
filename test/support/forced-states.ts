import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { CDPSession, Page } from 'playwright-core';
import { untilStill } from './stillness.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const focusable = 'a, button, input, select, textarea, summary, [tabindex]';
/** And what else looks different under the pointer. */
const pressable = `${focusable}, label, .group, [class*="hover:"]`;

const pressed = ['hover', 'active', 'focus', 'focus-visible', 'focus-within'];

const faintTexts = `axe
  .run(document, { runOnly: ['color-contrast'], resultTypes: ['violations'] })
  .then(({ violations }) => violations.flatMap(({ nodes }) => nodes.map(({ html, any }) => {
    const { fgColor, bgColor, contrastRatio } = any[0].data;
    return \`\${fgColor} on \${bgColor} is \${contrastRatio} to 1: \${html}\`;
  })))`;

/** A ring needs 3 to 1 against what it lies on (WCAG 2.2, 1.4.11); those that look alike are measured once. */
const faintRings = `(() => {
  const { Color, flattenColors, getBackgroundColor, getContrast } = axe.commons.color;
  const looks = new Map([...document.querySelectorAll('${focusable}')]
    .filter((element) => !element.disabled && element.tabIndex >= 0 && element.checkVisibility() && element.clientWidth > 1)
    .map((element) => [element.className, element]));
  axe.setup(document);
  const faults = [...looks.values()].flatMap((element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const ground = getBackgroundColor(element.parentElement);
    if (!ground) return [];
    const ring = new Color();
    ring.parseString(outlineColor);
    const isDrawn = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    const contrast = isDrawn ? getContrast(ground, flattenColors(ring, ground)) : 1;
    return contrast < 3 ? [\`its ring is \${contrast.toFixed(2)} to 1: \${element.outerHTML}\`] : [];
  });
  axe.teardown();
  return faults;
})()`;

/** Forced until the session ends. */
async function force(session: CDPSession, states: string[]): Promise<void> {
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument', { depth: 0 });
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: pressable });
  // What the page takes away meanwhile needs no state.
  const isGone = (error: unknown) => String(error).includes('Could not find node');
  await Promise.all(
    nodeIds.map((nodeId) =>
      session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: states }).catch((error: unknown) => {
        if (!isGone(error)) throw error;
      }),
    ),
  );
}

/**
 * What is hard to see while everything on the page is pointed at, pressed and focused at once: texts below the contrast
 * they need, and rings of the focus.
 */
export async function pressedFaultsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    await force(session, pressed);
    if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
    await untilStill(page);
    const faults = [...(await page.evaluate<string[]>(faintTexts)), ...(await page.evaluate<string[]>(faintRings))];
    return faults.map((fault) => `pressed, ${fault.slice(0, 400)}`);
  } finally {
    await session.detach();
  }
}

export async function expectVisibleWhenPressed(page: Page): Promise<void> {
  expect(await pressedFaultsOf(page)).to.deep.equal([]);
}

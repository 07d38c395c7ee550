import { expect } from 'chai';
import type { CDPSession, Page } from 'playwright-core';
import { bringAxe, contextOf, laterEntries, type Lists } from './accessible.ts';
import { untilStill } from './stillness.ts';

const field = 'input, textarea, select, [role=combobox], [role=radio], [role=switch], [aria-haspopup=listbox]';
const focusable = 'a, button, input, select, textarea, summary, [tabindex]';
/** Other elements whose look changes under the pointer. */
const pressable = `${focusable}, label, .group, [class*="hover:"]`;

const pressed = ['hover', 'active', 'focus', 'focus-visible', 'focus-within'];

const faintTexts = (lists: Lists) => `axe
  .run(${contextOf(lists)}, { runOnly: ['color-contrast'], resultTypes: ['violations'] })
  .then(({ violations }) => violations.flatMap(({ nodes }) => nodes.map(({ html, any }) => {
    const { fgColor, bgColor, contrastRatio } = any[0].data;
    return \`\${fgColor} on \${bgColor} is \${contrastRatio} to 1: \${html}\`;
  })))`;

/**
 * A line that identifies a control needs a contrast of 3 to 1 against its background (WCAG 2.2, 1.4.11). `colourOf`
 * is a function expression: the line's colour for an element's style, or undefined if it has no such line.
 */
const faintLines = (selector: string, what: string, colourOf: string) => `(() => {
  const { Color, flattenColors, getContrast } = axe.commons.color;
  const colourOf = ${colourOf};
  const parsed = (text) => {
    const colour = new Color();
    colour.parseString(text);
    return colour;
  };
  const groundOf = (element) => {
    if (!element) return parsed('white');
    const colour = parsed(getComputedStyle(element).backgroundColor);
    return colour.alpha === 1 ? colour : flattenColors(colour, groundOf(element.parentElement));
  };
  // Those that look alike are measured once.
  const looks = new Map([...document.querySelectorAll('${selector}')]
    .filter((element) => !element.disabled && element.tabIndex >= 0 && element.checkVisibility() && element.clientWidth > 1)
    .map((element) => [element.className, element]));
  return [...looks.values()].flatMap((element) => {
    const colour = colourOf(getComputedStyle(element), element);
    if (colour === undefined) return [];
    const ground = groundOf(element.parentElement);
    const contrast = getContrast(ground, flattenColors(parsed(colour), ground));
    return contrast < 3 ? [\`its ${what} is \${contrast.toFixed(2)} to 1: \${element.outerHTML}\`] : [];
  });
})()`;

const faintRings = faintLines(
  focusable,
  'ring',
  `({ outlineStyle, outlineWidth, outlineColor }, element) => {
    // What came after the others were forced.
    if (!element.matches(':focus-visible')) return undefined;
    if (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) return outlineColor;
    // In an input right above a list, the caret shows the focus.
    return element.matches('input') ? undefined : 'transparent';
  }`,
);

/** The library draws an edge as a shadow; a switch that is off has none and is recognized by its background. */
const faintEdges = faintLines(
  field,
  'edge',
  `({ boxShadow, borderTopWidth, borderTopColor, backgroundColor }, element) => {
    if (element.getAttribute('role') === 'switch') return backgroundColor;
    const shadow = /([\\w-]+\\([^)]*\\)) 0px 0px 0px 1px inset/.exec(boxShadow);
    return shadow?.[1] ?? (parseFloat(borderTopWidth) >= 1 ? borderTopColor : undefined);
  }`,
);

/** Stays forced until the session ends. */
async function force(session: CDPSession, states: string[], lists: Lists): Promise<void> {
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument', { depth: 0 });
  const later = laterEntries.flatMap((entry) => [entry, `${entry} *`]).join(', ');
  const selector = lists === 'whole' ? pressable : `:is(${pressable}):not(${later})`;
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector });
  // An element that the page removes in the meantime needs no state.
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
 * Everything on the page that is hard to see: the edges of fields and, with every element hovered, pressed and
 * focused at once, texts and focus rings below the contrast they need.
 * @param lists whether the entries of a list after the first dozen are pressed as well.
 */
export async function faintPartsOf(page: Page, lists: Lists = 'whole'): Promise<string[]> {
  await bringAxe(page);
  await untilStill(page);
  const atRest = await page.evaluate<string[]>(faintEdges);
  const session = await page.context().newCDPSession(page);
  try {
    await force(session, pressed, lists);
    await untilStill(page);
    const texts = await page.evaluate<string[]>(faintTexts(lists));
    const rings = await page.evaluate<string[]>(faintRings);
    return [...atRest, ...texts, ...rings].map((fault) => `faint: ${fault.slice(0, 400)}`);
  } finally {
    await session.detach();
  }
}

export async function expectNothingFaint(page: Page): Promise<void> {
  expect(await faintPartsOf(page)).to.deep.equal([]);
}

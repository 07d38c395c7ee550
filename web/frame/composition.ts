/**
 * What an input method is still composing is no text yet: fields hear of it when it is chosen. Otherwise searches would
 * run on half-composed syllables, and drafts would be saved with them.
 */
export function awaitComposition(target: Pick<EventTarget, 'addEventListener'> = document): void {
  const capture = true;
  target.addEventListener('input', (event) => (event as InputEvent).isComposing && event.stopImmediatePropagation(), {
    capture,
  });
  target.addEventListener(
    'compositionend',
    ({ target: field }) => field?.dispatchEvent(new Event('input', { bubbles: true })),
    { capture },
  );
}

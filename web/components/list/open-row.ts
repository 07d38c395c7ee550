/** What reacts to a click itself, or is about to be copied. */
const ownTargets = 'a, button, input, select, textarea, label, summary, [role=button], [role=checkbox]';

/**
 * Opens the page of a row that was clicked anywhere: what its first link leads to, in a new tab with Ctrl, Meta, Shift or
 * the middle button. The link stays what keyboards and assistive technology use.
 */
export function openRow(event: MouseEvent): void {
  if (!(event.currentTarget instanceof HTMLElement) || !(event.target instanceof Element)) return;
  if (event.defaultPrevented || event.target.closest(ownTargets) || getSelection()?.isCollapsed === false) return;
  const link = event.currentTarget.querySelector<HTMLAnchorElement>('[data-opens] a[href]');
  if (!link) return;
  if (event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) link.click();
  else if (event.button < 2) window.open(link.href, '_blank', 'noopener');
}

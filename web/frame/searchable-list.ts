/**
 * Corrects the roles of an open list with a search field. The library makes the whole of it, field included, the list box,
 * which may only hold options: the whole is a dialog, and what holds the options is the list box.
 */
export function nameSearchableList(whole: Element): void {
  const options = whole.querySelector('[role="presentation"]:has([role="option"])');
  if (!options) return;
  const trigger = document.querySelector(`[aria-controls="${CSS.escape(whole.id)}"]:not(input)`);
  const name = trigger?.getAttribute('aria-label') ?? trigger?.textContent?.trim() ?? '';
  for (const [element, role] of [
    [whole, 'dialog'],
    [options, 'listbox'],
  ] as const) {
    element.setAttribute('role', role);
    element.setAttribute('aria-label', name);
  }
  for (const attribute of ['aria-orientation', 'aria-multiselectable']) whole.removeAttribute(attribute);
}

/**
 * Corrects the roles of an open list with a search field. The library marks the whole popup as a listbox, search field
 * included, but a listbox may only hold options: the popup becomes a dialog, and the element around the options the listbox.
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

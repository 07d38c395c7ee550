import type { ObjectDirective } from 'vue';

function label(element: Element, name: string): void {
  element.querySelector('[role="listbox"]')?.setAttribute('aria-label', name);
}

/** Labels the listbox inside a command palette, for which the library has no property. */
export const vLabelListbox: ObjectDirective<HTMLElement, string> = {
  mounted: (element, { value }) => label(element, value),
  updated: (element, { value }) => label(element, value),
};

import { onScopeDispose, shallowRef, toValue, watchEffect, type MaybeRefOrGetter } from 'vue';
import type { RouteLocationRaw } from 'vue-router';

export interface Crumb {
  label: string;
  to: RouteLocationRaw;
}

export interface PageHeading {
  title: string;
  trail: Crumb[];
  /** Which of several pages with this title it is, for the document's title; empty for the only one. */
  part: string;
}

/** The heading that the frame shows; null while no page has set one. */
export const pageHeading = shallowRef<PageHeading | null>(null);

/** Sets the page's title and the pages above it, for as long as the page is open. */
export function usePageHeading(
  title: MaybeRefOrGetter<string>,
  trail: MaybeRefOrGetter<Crumb[]> = [],
  part: MaybeRefOrGetter<string> = '',
): void {
  let mine: PageHeading | null = null;
  watchEffect(() => {
    mine = { title: toValue(title), trail: toValue(trail), part: toValue(part) };
    pageHeading.value = mine;
  });
  onScopeDispose(() => {
    if (pageHeading.value === mine) pageHeading.value = null;
  });
}

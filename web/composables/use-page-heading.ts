import { onScopeDispose, shallowRef, toValue, watchEffect, type MaybeRefOrGetter } from 'vue';
import type { RouteLocationRaw } from 'vue-router';

export interface Crumb {
  label: string;
  to: RouteLocationRaw;
}

export interface PageHeading {
  title: string;
  trail: Crumb[];
}

/** The heading that the frame shows; null while no page has set one. */
export const pageHeading = shallowRef<PageHeading | null>(null);

/** Sets the page's title and the pages above it, for as long as the page is open. */
export function usePageHeading(title: MaybeRefOrGetter<string>, trail: MaybeRefOrGetter<Crumb[]> = []): void {
  let mine: PageHeading | null = null;
  watchEffect(() => {
    mine = { title: toValue(title), trail: toValue(trail) };
    pageHeading.value = mine;
  });
  onScopeDispose(() => {
    if (pageHeading.value === mine) pageHeading.value = null;
  });
}

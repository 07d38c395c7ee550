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

/** What the frame shows as the page's heading; null while no page says one. */
export const pageHeading = shallowRef<PageHeading | null>(null);

/** Says the page's own title and the pages above it. */
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

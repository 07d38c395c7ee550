import { computed, onScopeDispose, shallowReactive } from 'vue';

interface Run {
  label: string;
  icon: string;
  run: () => void;
}

/** Something that can be done with what the open page shows, at once or after a choice. */
export type PageAction = { id: string } & (Run | (Omit<Run, 'run'> & { choices: Run[]; placeholder: string }));

const sources = shallowReactive(new Set<() => PageAction[]>());

/** The actions of the open page, for the palette. Of those with the same id, the innermost part's counts. */
export const pageActions = computed<PageAction[]>(() => {
  const all = [...sources].flatMap((source) => source());
  return [...new Map(all.map((action) => [action.id, action])).values()];
});

/** Offers actions in the palette, for as long as the calling component is shown. */
export function usePageActions(source: () => PageAction[]): void {
  sources.add(source);
  onScopeDispose(() => sources.delete(source));
}

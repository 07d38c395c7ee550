import { computed, onScopeDispose, shallowRef, toValue, type MaybeRefOrGetter } from 'vue';
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router';
import { askPage } from '../api/unsaved-edits.ts';

/**
 * Asks before the page is left, by link or by closing, while `dirty` holds: the page shows a dialog while `isAsking`, and
 * answers with `leave`. Nobody is asked if `settle` resolves to true.
 */
export function useUnsavedEdits(
  dirty: MaybeRefOrGetter<boolean>,
  settle: () => Promise<boolean> = () => Promise.resolve(false),
) {
  const answer = shallowRef<((leave: boolean) => void) | null>(null);
  const ask = () => new Promise<boolean>((resolve) => (answer.value = resolve));
  const isDirty = () => toValue(dirty);
  const beforeUnload = (event: BeforeUnloadEvent) => {
    if (isDirty()) event.preventDefault();
  };
  const forget = askPage(isDirty);
  addEventListener('beforeunload', beforeUnload);
  onScopeDispose(() => {
    forget();
    removeEventListener('beforeunload', beforeUnload);
  });
  const mayLeave = async () => !isDirty() || (await settle()) || (await ask());
  onBeforeRouteLeave(mayLeave);
  // The same page about something else; what only the query says stays.
  onBeforeRouteUpdate(async (to, from) => to.path === from.path || (await mayLeave()));
  return {
    isAsking: computed(() => answer.value !== null),
    leave(yes: boolean): void {
      answer.value?.(yes);
      answer.value = null;
    },
  };
}

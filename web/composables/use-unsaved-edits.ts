import { computed, onScopeDispose, shallowRef, toValue, type MaybeRefOrGetter } from 'vue';
import { onBeforeRouteLeave } from 'vue-router';

const guards = new Set<() => boolean>();

/** Whether any open page holds edits that would be lost. */
export function hasUnsavedEdits(): boolean {
  return [...guards].some((isDirty) => isDirty());
}

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
  guards.add(isDirty);
  addEventListener('beforeunload', beforeUnload);
  onScopeDispose(() => {
    guards.delete(isDirty);
    removeEventListener('beforeunload', beforeUnload);
  });
  onBeforeRouteLeave(async () => !isDirty() || (await settle()) || ask());
  return {
    isAsking: computed(() => answer.value !== null),
    leave(yes: boolean): void {
      answer.value?.(yes);
      answer.value = null;
    },
  };
}

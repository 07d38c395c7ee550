import { onScopeDispose, toValue, type MaybeRefOrGetter } from 'vue';
import { onBeforeRouteLeave } from 'vue-router';

const guards = new Set<() => boolean>();

/** Whether any open page holds edits that would be lost. */
export function hasUnsavedEdits(): boolean {
  return [...guards].some((isDirty) => isDirty());
}

/** Asks before the page is left, by link or by closing, while `dirty` holds. `ask` resolves to whether to leave. */
export function useUnsavedEdits(dirty: MaybeRefOrGetter<boolean>, ask: () => Promise<boolean>): void {
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
  onBeforeRouteLeave(async () => !isDirty() || ask());
}

import { computed, onScopeDispose, shallowReactive, toValue, watchEffect, type MaybeRefOrGetter } from 'vue';

const interrupted = shallowReactive(new Set<symbol>());

/** Whether any live view on the page has lost its stream and tries to get it back. */
export const isAnyInterrupted = computed(() => interrupted.size > 0);

/** Has the frame say so for as long as the caller's stream is interrupted. */
export function reportInterruption(isInterrupted: MaybeRefOrGetter<boolean>): void {
  const own = Symbol('stream');
  watchEffect(() => {
    if (toValue(isInterrupted)) interrupted.add(own);
    else interrupted.delete(own);
  });
  onScopeDispose(() => interrupted.delete(own));
}

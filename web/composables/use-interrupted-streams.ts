import { computed, onScopeDispose, shallowReactive, toValue, watchEffect, type MaybeRefOrGetter } from 'vue';

const interrupted = shallowReactive(new Set<symbol>());
const isAnyInterrupted = computed(() => interrupted.size > 0);

/** Counts the caller's stream among the interrupted ones for as long as it is. */
function reportInterruption(isInterrupted: MaybeRefOrGetter<boolean>): void {
  const own = Symbol('stream');
  watchEffect(() => {
    if (toValue(isInterrupted)) interrupted.add(own);
    else interrupted.delete(own);
  });
  onScopeDispose(() => interrupted.delete(own));
}

/** Live views report a lost stream here, and the frame tells the reader that what is shown may be out of date. */
export function useInterruptedStreams() {
  return { isAnyInterrupted, reportInterruption };
}

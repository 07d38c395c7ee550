import { computed, ref, type Ref } from 'vue';
import type { Draft } from '../draft/draft.ts';

/** Which variant is shown, by its position; the last one if there are no longer as many. */
export function createShownVariant(draft: Readonly<Ref<Draft>>): Ref<number> {
  const chosen = ref(0);
  return computed({
    get: () => Math.min(chosen.value, draft.value.variants?.others.length ?? 0),
    set: (position) => (chosen.value = position),
  });
}

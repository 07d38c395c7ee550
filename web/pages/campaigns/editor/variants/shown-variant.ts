import { computed, ref, type Ref } from 'vue';
import type { Draft } from '../draft/draft.ts';
import { partsIn } from '../draft/variant-list.ts';

/** Which variant or case is shown, by its position; the last one if there are no longer as many. */
export function createShownVariant(draft: Readonly<Ref<Draft>>): Ref<number> {
  const chosen = ref(0);
  return computed({
    get: () => Math.min(chosen.value, Math.max(partsIn(draft.value).length - 1, 0)),
    set: (position) => (chosen.value = position),
  });
}

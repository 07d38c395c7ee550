import { computed, type ComputedRef, shallowRef, toValue, type MaybeRefOrGetter } from 'vue';
import type { SegmentProblems } from './segment-check.ts';
import type { SegmentDraft } from './segment-draft.ts';

/** What needs fixing in a segment; null until the schemas are loaded, which are heavy. */
export function useSegmentCheck(draft: MaybeRefOrGetter<SegmentDraft>): ComputedRef<SegmentProblems | null> {
  const check = shallowRef<((draft: SegmentDraft) => SegmentProblems) | null>(null);
  void import('./segment-check.ts').then(({ problemsOf }) => (check.value = problemsOf));
  return computed(() => check.value?.(toValue(draft)) ?? null);
}

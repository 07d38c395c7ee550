import { computed, ref, shallowRef } from 'vue';
import { type Draft, type DraftFields, type DraftIssue, newDraft, rawOf } from './draft.ts';

/** A draft that is being edited: what of it is valid, and what needs fixing. */
export function createDraftForm() {
  const draft = ref<Draft>(newDraft());
  const check = shallowRef<((draft: Draft) => DraftFields) | null>(null);
  // The schemas are heavy and not needed to show the editor; until they are loaded nothing counts as savable.
  void import('./checks.ts').then(({ fieldsOf }) => (check.value = fieldsOf));
  const fields = computed<DraftFields>(() => check.value?.(draft.value) ?? { valid: {}, issues: [] });
  const issues = computed<DraftIssue[]>(() => fields.value.issues);
  const touched = ref(new Set<string>());
  const showAll = ref(false);
  return {
    draft,
    fields,
    issues,
    showAll,
    raw: computed(() => rawOf(draft.value)),
    isChecked: computed(() => check.value !== null),
    issueAt: (at: string) =>
      showAll.value || touched.value.has(at)
        ? issues.value.find((issue) => issue.at === at || issue.at.startsWith(`${at}/`))
        : undefined,
    touch: (at: string) => void touched.value.add(at),
  };
}

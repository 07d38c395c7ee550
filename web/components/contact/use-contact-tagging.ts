import { useMutation } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { useI18n } from 'vue-i18n';
import { changeAssignments, useForgetTags } from '#web/api/queries/tags.ts';
import { useProblemToast } from '#web/composables/use-problem-toast.ts';
import { useUndoToast } from '#web/composables/use-undo-toast.ts';

interface NamedTag {
  tagId: string;
  name: string;
}

/** Assigns tags to one contact by hand and removes them, immediately and with undo. */
export function useContactTagging(contactId: MaybeRefOrGetter<string>) {
  const { t } = useI18n();
  const report = useProblemToast();
  const offerUndo = useUndoToast();
  const forget = useForgetTags();

  async function change(tagId: string, who: string, how: 'give' | 'take'): Promise<void> {
    await changeAssignments(tagId, [who], how);
    await forget();
  }

  const giving = useMutation({
    mutationFn: ({ tagId, who }: NamedTag & { who: string }) => change(tagId, who, 'give'),
    onSuccess: (_, { tagId, name, who }) =>
      offerUndo({
        done: t('contact.gave', { name }),
        undo: () => change(tagId, who, 'take'),
        notUndone: t('contact.notTakenBack'),
      }),
    onError: (error) => report(t('contact.notGiven'), error),
  });
  const taking = useMutation({
    mutationFn: ({ tagId, who }: NamedTag & { who: string }) => change(tagId, who, 'take'),
    onSuccess: (_, { tagId, name, who }) =>
      offerUndo({
        done: t('contact.took', { name }),
        undo: () => change(tagId, who, 'give'),
        notUndone: t('contact.notGivenBack'),
      }),
    onError: (error) => report(t('contact.notTaken'), error),
  });

  return {
    give: ({ tagId, name }: NamedTag) => giving.mutate({ tagId, name, who: toValue(contactId) }),
    take: ({ tagId, name }: NamedTag) => taking.mutate({ tagId, name, who: toValue(contactId) }),
    isBusy: computed(() => giving.isPending.value || taking.isPending.value),
  };
}

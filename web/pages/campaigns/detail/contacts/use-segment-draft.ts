import { useMutation } from '@tanstack/vue-query';
import { useI18n } from 'vue-i18n';
import { useRouter } from 'vue-router';
import type { Campaign } from '#domain/api/campaign.ts';
import { call } from '#web/api/index.ts';
import { useForgetCampaigns } from '#web/api/queries/campaigns.ts';
import { useLinks } from '#web/composables/use-links.ts';
import { useProblemToast } from '#web/composables/use-problem-toast.ts';
import { type OutcomeFilter, segmentOf, type SegmentOutcome } from './outcome-segment.ts';

const LONGEST_NAME = 200;

/** Contacts of a campaign by what they did. */
export interface OutcomeDraft {
  campaign: Campaign;
  filter: OutcomeFilter<SegmentOutcome>;
}

/** Creates a draft with a campaign's messages for contacts by what they did, and opens it in the editor. */
export function useSegmentDraft() {
  const { t } = useI18n();
  const router = useRouter();
  const links = useLinks();
  const report = useProblemToast();
  const forget = useForgetCampaigns();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ campaign, filter }: OutcomeDraft) => {
      const { id, name, note, channels, messages, serviceNumberId } = campaign;
      const segment = segmentOf(id, filter);
      return call('createCampaign', {
        body: {
          name: t(`outcomes.draft.nameOf.${filter.outcome}`, { name }).slice(0, LONGEST_NAME),
          note,
          channels,
          messages,
          serviceNumberId,
          audience: { type: 'segment', segment },
          schedule: { type: 'immediate' },
        },
      });
    },
    onSuccess: async ({ id }) => {
      await forget();
      await router.push(links.editCampaign(id));
    },
    onError: (error) => report(t('clicks.followUp.failed'), error),
  });
  return {
    isCreating: isPending,
    /** One at a time: a double click creates only one. */
    createDraft(wanted: OutcomeDraft): void {
      if (!isPending.value) mutate(wanted);
    },
  };
}

import { useMutation } from '@tanstack/vue-query';
import { useI18n } from 'vue-i18n';
import { useRouter } from 'vue-router';
import type { Campaign, CampaignStatus } from '#domain/api/campaign.ts';
import { call } from '#web/api/index.ts';
import { useForgetCampaigns } from '#web/api/queries/campaigns.ts';
import { useLinks } from '#web/composables/use-links.ts';
import { useProblemToast } from '#web/composables/use-problem-toast.ts';

export type CampaignAction = 'pause' | 'resume' | 'retry' | 'cancel' | 'close';

export const actionIcons: Record<CampaignAction, string> = {
  pause: 'i-lucide-circle-pause',
  resume: 'i-lucide-circle-play',
  retry: 'i-lucide-rotate-cw',
  cancel: 'i-lucide-ban',
  close: 'i-lucide-archive',
};

const possible: Record<CampaignAction, CampaignStatus[]> = {
  pause: ['sending', 'scheduled'],
  resume: ['paused'],
  retry: ['partially_failed', 'failed'],
  cancel: ['scheduled', 'sending', 'paused'],
  close: ['scheduled', 'sending', 'paused', 'completed', 'partially_failed', 'failed', 'cancelled'],
};

/** The actions that make sense in a state, until the server has reported which are possible. */
export function actionsOf(status: CampaignStatus): CampaignAction[] {
  return (Object.keys(possible) as CampaignAction[]).filter((action) => possible[action].includes(status));
}

interface Act {
  action: CampaignAction;
  id: string;
}

function perform({ action, id }: Act): Promise<Campaign> {
  const params = { id };
  switch (action) {
    case 'pause':
      return call('pauseCampaign', { params });
    case 'resume':
      return call('resumeCampaign', { params });
    case 'retry':
      return call('retryFailed', { params });
    case 'cancel':
      return call('cancelCampaign', { params });
    case 'close':
      return call('closeCampaign', { params });
  }
}

/** Actions on a campaign that was sent. Errors are reported, and everything shown is refetched. */
export function useCampaignActions() {
  const { t } = useI18n();
  const router = useRouter();
  const links = useLinks();
  const report = useProblemToast();
  const forget = useForgetCampaigns();

  const act = useMutation({
    mutationFn: perform,
    onError: (error, { action }) => report(t(`campaign.failed.${action}`), error),
    onSettled: forget,
  });

  const duplicate = useMutation({
    mutationFn: ({ id }: Pick<Campaign, 'id'>) => call('duplicateCampaign', { params: { id } }),
    onError: (error) => report(t('campaign.failed.duplicate'), error),
    onSuccess: async ({ id }) => {
      await forget();
      await router.push(links.editCampaign(id));
    },
  });

  return {
    act,
    isDuplicating: duplicate.isPending,
    /** One copy at a time: a double click creates only one. */
    duplicate(campaign: Pick<Campaign, 'id'>): void {
      if (!duplicate.isPending.value) duplicate.mutate(campaign);
    },
  };
}

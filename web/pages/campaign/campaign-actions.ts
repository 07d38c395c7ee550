import { useMutation } from '@tanstack/vue-query';
import { useI18n } from 'vue-i18n';
import { useRouter } from 'vue-router';
import type { Campaign, CampaignStatus } from '../../../domain/api/campaign.ts';
import { useForgetCampaigns } from '../../api/campaigns.ts';
import { call } from '../../api/index.ts';
import { useProblemToast } from '../../components/problem-toast.ts';
import { useLinks } from '../../frame/links.ts';

export type CampaignAction = 'pause' | 'resume' | 'cancel';

const possible: Record<CampaignAction, CampaignStatus[]> = {
  pause: ['sending', 'scheduled'],
  resume: ['paused'],
  cancel: ['scheduled', 'sending', 'paused'],
};

/** The actions that make sense in a state; the server has the last word. */
export function actionsOf(status: CampaignStatus): CampaignAction[] {
  return (Object.keys(possible) as CampaignAction[]).filter((action) => possible[action].includes(status));
}

const operations = { pause: 'pauseCampaign', resume: 'resumeCampaign', cancel: 'cancelCampaign' } as const;

/** Actions on a campaign that was sent. Failures are told, and everything shown is read again. */
export function useCampaignActions() {
  const { t } = useI18n();
  const router = useRouter();
  const links = useLinks();
  const report = useProblemToast();
  const forget = useForgetCampaigns();

  const act = useMutation({
    mutationFn: ({ action, id }: { action: CampaignAction; id: string }) =>
      call(operations[action], { params: { id } }),
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

  return { act, duplicate };
}

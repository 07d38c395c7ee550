import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';
import { useRouter, type RouteLocationRaw } from 'vue-router';
import type { Campaign } from '#domain/api/campaign.ts';
import { leftToSubmit, type usePossibleActions } from '#web/api/queries/campaigns.ts';
import { useMe } from '#web/api/queries/integration.ts';
import { useExport } from '#web/components/list/use-export.ts';
import { useFormat } from '#web/composables/use-format.ts';
import { useLinks } from '#web/composables/use-links.ts';
import { usePageActions } from '#web/composables/use-page-actions.ts';
import { type FollowUp, followUpIcons, followUpNames } from './clicks/followup/follow-ups.ts';
import { actionIcons, useCampaignActions, type CampaignAction } from './use-campaign-actions.ts';

export type CampaignDialog = CampaignAction | FollowUp | 'move' | 'test';

interface CampaignButton {
  id: CampaignDialog | 'edit' | 'pace' | 'duplicate';
  label: string;
  icon: string;
  /** Leads there; without it `run` is called. */
  to?: RouteLocationRaw;
  run?: () => void;
  color?: 'primary' | 'error';
  /** It stands in the menu, not beside it. */
  isRare?: true;
  loading?: boolean;
}

interface Shown {
  campaign: ComputedRef<Campaign | undefined>;
  possible: ReturnType<typeof usePossibleActions>['data'];
  open: (dialog: CampaignDialog) => void;
}

const exports = ['exportRecipients', 'exportClicks'] as const;

/** The buttons of a campaign's page. */
function useButtons({ campaign, possible, open }: Shown) {
  const { t } = useI18n();
  const { number } = useFormat();
  const links = useLinks();
  const { duplicate, isDuplicating } = useCampaignActions();

  function beforeTheStart({ id, schedule }: Campaign): CampaignButton[] {
    if (typeof possible.value?.edit !== 'number') return [];
    const edit = {
      id: 'edit',
      label: t('change.open'),
      icon: 'i-lucide-pencil',
      to: links.changeCampaign(id),
    } as const;
    const move = { id: 'move', label: t('changeTime.open'), icon: 'i-lucide-calendar-clock' } as const;
    return schedule.type === 'scheduled' ? [edit, { ...move, run: () => open('move') }] : [edit];
  }

  function onTheWay({ id }: Campaign): CampaignButton[] {
    if (leftToSubmit(possible.value) === null) return [];
    return [
      { id: 'pace', label: t('change.pace'), icon: 'i-lucide-gauge', to: links.changeCampaign(id), isRare: true },
    ];
  }

  /** In the order of the icons, each with the number of contacts it affects. */
  const possibleNow = (): CampaignButton[] =>
    (Object.keys(actionIcons) as CampaignAction[]).flatMap((action) => {
      const contacts = possible.value?.[action];
      if (typeof contacts !== 'number') return [];
      const label = t(`campaign.actionCount.${action}`, { count: number(contacts) }, contacts);
      const button: CampaignButton = { id: action, label, icon: actionIcons[action], run: () => open(action) };
      if (action === 'cancel') return [{ ...button, color: 'error', isRare: true }];
      if (action === 'close') return [{ ...button, isRare: true }];
      return [action === 'retry' || action === 'resume' ? { ...button, color: 'primary' as const } : button];
    });

  return computed<CampaignButton[]>(() => {
    const of = campaign.value;
    if (!of) return [];
    return [
      ...beforeTheStart(of),
      ...possibleNow(),
      ...onTheWay(of),
      { id: 'test', label: t('testSend.open'), icon: 'i-lucide-flask-conical', run: () => open('test'), isRare: true },
      {
        id: 'duplicate',
        label: t('campaign.action.duplicate'),
        icon: 'i-lucide-copy-plus',
        loading: isDuplicating.value,
        run: () => duplicate(of),
        isRare: true,
      },
    ];
  });
}

/** The buttons of a campaign's page; the palette has them, too, with what the tabs offer. */
export function useCampaignButtons(shown: Shown) {
  const { t } = useI18n();
  const router = useRouter();
  const { canWrite } = useMe();
  const { save } = useExport();
  const { embedded } = useLinks();
  const buttons = useButtons(shown);

  usePageActions(() => {
    const { id } = shown.campaign.value ?? {};
    if (id === undefined) return [];
    const writes = buttons.value.map(({ to, run, isRare: _isRare, color: _color, ...button }) => ({
      ...button,
      run: () => (to ? void router.push(to) : run?.()),
    }));
    const followUps = followUpNames(embedded).map((name) => ({
      id: name,
      label: t(`clicks.${name}.title`),
      icon: followUpIcons[name],
      run: () => shown.open(name),
    }));
    const saves = exports.map((operation) => ({
      id: operation,
      label: t(`palette.${operation}`),
      icon: 'i-lucide-download',
      run: () => void save({ operation, params: { id } }),
    }));
    return [...(canWrite.value ? [...writes, ...followUps] : []), ...saves];
  });

  return buttons;
}

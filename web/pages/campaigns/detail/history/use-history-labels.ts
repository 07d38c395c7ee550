import { useI18n } from 'vue-i18n';
import type { CampaignHistoryItem } from '#domain/api/campaign-history.ts';
import { type StepState, stepStates } from '#domain/campaigns/steps/limits.ts';
import { usePeople } from '#web/api/queries/people.ts';
import { useFormat } from '#web/composables/use-format.ts';
import { changedParts, recordOf } from './changed-parts.ts';

type Change = Extract<CampaignHistoryItem, { kind: 'change' }>;
const numberIn = (value: unknown, ...names: string[]): number | undefined => {
  const fields = recordOf(value);
  return names.map((name) => fields[name]).find((found): found is number => typeof found === 'number');
};

/** The parts of a change that came too late. */
const askedParts = (item: Change): string[] => {
  const { fields } = recordOf(item.after);
  return Array.isArray(fields) ? fields.map(String) : [];
};

const countedActions = new Set([
  'dry_run',
  'send',
  'retry',
  'test_send',
  'sent_twice',
  'request_approval',
  'approve',
  'keep_back',
]);
const plainActions = new Set([
  'create',
  'duplicate',
  'delete',
  'pause',
  'resume',
  'cancel',
  'close',
  'withdraw',
  'cancel_steps',
  'pause_steps',
  'resume_steps',
]);

const isStepState = (value: unknown): value is StepState => stepStates.some((state) => state === value);

/** Sentences of a campaign's history: what happened, and by whom or which flow. */
export function useHistoryLabels() {
  const { t } = useI18n();
  const { number, tag, dateTime } = useFormat();
  const { nameOf } = usePeople();

  function changeText(item: Change): string {
    const [, verb = ''] = item.action.split('.');
    const count = numberIn(item.after, 'reachableCount', 'contacts');
    if (item.objectType === 'sub_task') {
      const sent = recordOf(item.after)['outcome'] === 'sent';
      return t(sent ? 'history.action.resolveSent' : 'history.action.resolveNotSent');
    }
    const { scheduledAt } = recordOf(item.after);
    if (verb === 'send' && count !== undefined && typeof scheduledAt === 'string') {
      return t('history.action.schedule', { count: number(count), when: dateTime(scheduledAt) }, count);
    }
    if (countedActions.has(verb) && count !== undefined) {
      return t(`history.action.${verb}`, { count: number(count) }, count);
    }
    if (verb === 'update' || verb === 'update_too_late') {
      const parts = (verb === 'update' ? changedParts(item) : askedParts(item)).map((name) =>
        t(name === 'channels' ? 'history.channels' : `editor.place.${name}`),
      );
      const list = new Intl.ListFormat(tag.value, { type: 'unit' }).format(parts);
      return t(`history.action.${verb}`, { parts: list || t('history.nothingChanged') });
    }
    const { variant } = recordOf(item.after);
    if (verb === 'choose_variant' && typeof variant === 'string')
      return t('history.action.choose_variant', { variant, count: number(count ?? 0) }, count ?? 0);
    const { state, position } = recordOf(item.after);
    if (verb === 'run_step' && isStepState(state) && typeof position === 'number')
      return t('history.action.run_step', { number: position, outcome: t(`following.state.${state}`) });
    const { reason } = recordOf(item.after);
    if (verb === 'reject' && typeof reason === 'string') return t('history.action.reject', { reason });
    return plainActions.has(verb) ? t(`history.action.${verb}`) : t('history.otherAction', { action: item.action });
  }

  function textOf(item: CampaignHistoryItem): string {
    switch (item.kind) {
      case 'change':
        return changeText(item);
      case 'status':
        return t('history.status', {
          from: t(`status.campaign.${item.from}`),
          to: t(`status.campaign.${item.to}`),
        });
      case 'sub_task': {
        const count = number(item.contactCount);
        if (item.event === 'submitted') {
          return t('history.submitted', { count, task: item.taskId ?? '–' }, item.contactCount);
        }
        const words = { count, status: t(`status.subTask.${item.status}`), code: item.errorCode ?? '' };
        return t(item.errorCode ? 'history.finishedError' : 'history.finished', words, item.contactCount);
      }
      case 'entry_source':
        return t(item.event === 'created' ? 'history.sourceCreated' : 'history.sourceEnded', { source: item.sourceId });
    }
  }

  const services: Record<string, string> = {
    'service:schedule': 'history.service.schedule',
    'service:pace': 'history.service.pace',
    'service:tool-api': 'history.service.tool',
    platform: 'history.service.platform',
  };

  function byWhom(item: CampaignHistoryItem): string {
    if (item.kind !== 'change') return t('history.byFlow', { flow: item.flow });
    const service = services[item.actor];
    return t('history.byPerson', { who: service ? t(service) : nameOf(item.actor) });
  }

  return { textOf, byWhom };
}

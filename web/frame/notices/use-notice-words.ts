import { useI18n } from 'vue-i18n';
import type { RouteLocationRaw } from 'vue-router';
import type { PauseReason } from '#domain/api/campaign.ts';
import type { Notice, NoticeKind } from '#domain/api/notices.ts';
import { useLinks } from '#web/composables/use-links.ts';

export const noticeIcons: Record<NoticeKind, string> = {
  approval_asked: 'i-lucide-user-round-check',
  approval_approved: 'i-lucide-circle-check',
  approval_rejected: 'i-lucide-circle-x',
  campaign_paused: 'i-lucide-circle-pause',
  campaign_failed: 'i-lucide-octagon-x',
  campaign_partly_failed: 'i-lucide-triangle-alert',
  deadline_passed: 'i-lucide-alarm-clock-off',
  test_asks: 'i-lucide-flask-conical',
  automation_paused: 'i-lucide-circle-pause',
  endpoint_failing: 'i-lucide-unplug',
  refund_needs_staff: 'i-lucide-banknote',
};

const pauses = new Set<NoticeKind>(['campaign_paused', 'deadline_passed', 'automation_paused']);

/** What a notice says, and where it leads. */
export function useNoticeWords() {
  const { t } = useI18n();
  const links = useLinks();
  return {
    titleOf: ({ kind }: Notice): string => t(`field.${kind}`),
    /** Why; null where the kind says all. */
    reasonOf: ({ kind, text }: Notice): string | null =>
      text !== null && pauses.has(kind) ? t(`campaign.pauseReason.${text as PauseReason}`) : text,
    placeOf({ kind, subject: { type, id } }: Notice): RouteLocationRaw {
      if (type === 'order') return { name: 'app.order', params: { orderId: id } };
      if (type === 'refund') return { name: 'app.unmatched-refunds' };
      if (type === 'webhook') return { name: 'app.settings-webhook', query: { endpoint: id } };
      if (type === 'automation') return links.automation(id, 'overview');
      return links.campaign(id, kind === 'test_asks' ? 'results' : 'progress');
    },
  };
}

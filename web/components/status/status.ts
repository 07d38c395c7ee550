import type { ContactReach } from '#domain/api/audiences.ts';
import type { CampaignStatus, SubTaskStatus } from '#domain/api/campaign.ts';
import type { Contact } from '#domain/api/contacts.ts';
import type { InboxItem } from '#domain/api/inbox.ts';
import type { RepeatOutcome } from '#domain/api/repeats.ts';
import type { StepState } from '#domain/campaigns/steps/limits.ts';
import type { RepeatStatus } from '#domain/campaigns/repeats/statuses.ts';
import type { RuleStatus } from '#domain/api/rules.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { AutomationEntryStatus, AutomationStatus } from '#domain/automations/statuses.ts';

export type StatusColor = 'neutral' | 'primary' | 'success' | 'info' | 'warning' | 'error';

/** How a status looks. Colour is never the only sign: icon and label show it as well. */
export interface StatusStyle {
  color: StatusColor;
  icon: string;
}

export const campaignStatusStyle: Record<CampaignStatus, StatusStyle> = {
  draft: { color: 'neutral', icon: 'i-lucide-pencil-line' },
  scheduled: { color: 'info', icon: 'i-lucide-calendar-clock' },
  sending: { color: 'primary', icon: 'i-lucide-send' },
  paused: { color: 'warning', icon: 'i-lucide-circle-pause' },
  completed: { color: 'success', icon: 'i-lucide-circle-check' },
  partially_failed: { color: 'warning', icon: 'i-lucide-circle-alert' },
  failed: { color: 'error', icon: 'i-lucide-circle-x' },
  cancelled: { color: 'neutral', icon: 'i-lucide-ban' },
  closed: { color: 'neutral', icon: 'i-lucide-archive' },
};

/** A campaign whose send somebody has to approve, whatever its status. */
export const waitingStyle: StatusStyle = { color: 'warning', icon: 'i-lucide-user-check' };

export const subTaskStatusStyle: Record<SubTaskStatus, StatusStyle> = {
  pending: { color: 'neutral', icon: 'i-lucide-circle-dashed' },
  submitting: { color: 'info', icon: 'i-lucide-loader' },
  unknown: { color: 'warning', icon: 'i-lucide-circle-question-mark' },
  rejected: { color: 'error', icon: 'i-lucide-octagon-x' },
  scheduled: { color: 'info', icon: 'i-lucide-calendar-clock' },
  sending: { color: 'primary', icon: 'i-lucide-send' },
  completed: { color: 'success', icon: 'i-lucide-circle-check' },
  cancelled: { color: 'neutral', icon: 'i-lucide-ban' },
  failed: { color: 'error', icon: 'i-lucide-circle-x' },
};

export const inboxStatusStyle: Record<InboxItem['status'], StatusStyle> = {
  stored: { color: 'info', icon: 'i-lucide-hourglass' },
  processed: { color: 'success', icon: 'i-lucide-circle-check' },
  failed: { color: 'error', icon: 'i-lucide-circle-x' },
  dismissed: { color: 'neutral', icon: 'i-lucide-archive' },
};

export const tagStatusStyle: Record<Tag['status'], StatusStyle> = {
  active: { color: 'success', icon: 'i-lucide-circle-check' },
  expired: { color: 'warning', icon: 'i-lucide-timer-off' },
  archived: { color: 'neutral', icon: 'i-lucide-archive' },
};

export type FollowState = 'following' | 'unsubscribed' | 'unfollowed';

/** Whether a contact can be reached, and if not, why. */
export function followStateOf({
  followState,
  unsubscribed,
}: Pick<Contact, 'followState' | 'unsubscribed'>): FollowState {
  if (followState === 'unfollowed') return 'unfollowed';
  return unsubscribed ? 'unsubscribed' : 'following';
}

/** `text` is the colour as a class, for places without a badge. */
export const followStyle: Record<FollowState, StatusStyle & { text: string }> = {
  following: { color: 'success', icon: 'i-lucide-circle-check', text: 'text-success' },
  unsubscribed: { color: 'warning', icon: 'i-lucide-bell-off', text: 'text-warning' },
  unfollowed: { color: 'neutral', icon: 'i-lucide-user-x', text: 'text-muted' },
};

/** Whether a contact of an audience is reached, and why not. */
export const reachStyle: Record<ContactReach, StatusStyle> = {
  reachable: { color: 'success', icon: 'i-lucide-circle-check' },
  expiredTags: { color: 'neutral', icon: 'i-lucide-timer-off' },
  unsubscribed: { color: 'warning', icon: 'i-lucide-bell-off' },
  unreachable: { color: 'neutral', icon: 'i-lucide-user-x' },
  controlGroup: { color: 'neutral', icon: 'i-lucide-flask-conical' },
};

export const ruleStatusStyle: Record<RuleStatus, StatusStyle> = {
  active: { color: 'success', icon: 'i-lucide-circle-check' },
  paused: { color: 'warning', icon: 'i-lucide-circle-pause' },
};

export const repeatStatusStyle: Record<RepeatStatus, StatusStyle> = {
  active: { color: 'success', icon: 'i-lucide-circle-check' },
  paused: { color: 'warning', icon: 'i-lucide-circle-pause' },
  ended: { color: 'neutral', icon: 'i-lucide-archive' },
};

export const repeatOutcomeStyle: Record<RepeatOutcome, StatusStyle> = {
  sent: { color: 'success', icon: 'i-lucide-circle-check' },
  approval: waitingStyle,
  missed: { color: 'warning', icon: 'i-lucide-timer-off' },
  overlap: { color: 'warning', icon: 'i-lucide-circle-alert' },
  refused: { color: 'error', icon: 'i-lucide-octagon-x' },
};

export const automationStatusStyle: Record<AutomationStatus, StatusStyle> = {
  draft: { color: 'neutral', icon: 'i-lucide-pencil-line' },
  active: { color: 'success', icon: 'i-lucide-circle-check' },
  paused: { color: 'warning', icon: 'i-lucide-circle-pause' },
  ended: { color: 'neutral', icon: 'i-lucide-archive' },
};

export const automationEntryStyle: Record<AutomationEntryStatus, StatusStyle> = {
  waiting: { color: 'info', icon: 'i-lucide-hourglass' },
  sent: { color: 'success', icon: 'i-lucide-circle-check' },
  skipped: { color: 'neutral', icon: 'i-lucide-circle-slash' },
  unknown: { color: 'warning', icon: 'i-lucide-circle-question-mark' },
};

export const stepStateStyle: Record<StepState, StatusStyle> = {
  draft: { color: 'neutral', icon: 'i-lucide-pencil' },
  waiting: waitingStyle,
  sent: { color: 'success', icon: 'i-lucide-circle-check' },
  approval: waitingStyle,
  skipped: { color: 'neutral', icon: 'i-lucide-circle-alert' },
  cancelled: { color: 'neutral', icon: 'i-lucide-circle-stop' },
};

/** The order in which sub-task states are shown: done first, trouble last. */
export const subTaskOrder: SubTaskStatus[] = [
  'completed',
  'sending',
  'scheduled',
  'submitting',
  'pending',
  'cancelled',
  'unknown',
  'rejected',
  'failed',
];

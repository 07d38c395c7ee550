import type { CampaignContact } from '#domain/api/campaign-contacts.ts';
import type { Click } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import type { ClickRecord } from '#db/outreach/clicks/list.ts';
import { actionLabel } from '#domain/campaigns/action-label.ts';
import type { ContactOutcomeRecord } from '#db/outreach/outcomes/list.ts';

function followedBy({ tags, sessionId, openedAt, closedAt }: ClickRecord): Click['followed'] {
  const session =
    sessionId && openedAt
      ? { sessionId, openedAt: openedAt.toISOString(), closedAt: closedAt?.toISOString() ?? null }
      : null;
  return { tags: tags ?? [], session };
}

/** All messages of a campaign, by their place. */
type Placed = readonly (Message | undefined)[];

/** `messages` are the campaign's; they contain the button's label. */
export function presentClick(row: ClickRecord, messages: Placed): Click {
  return {
    taskId: row.taskId,
    contactId: row.contactId,
    displayName: row.displayName,
    noticeId: row.noticeId,
    messageIndex: row.messageIndex,
    actionIndex: row.actionIndex,
    bizEventCode: row.bizEventCode,
    repeats: row.repeats,
    label: actionLabel(messages, row.messageIndex, row.actionIndex) || null,
    clickedAt: row.clickedAt.toISOString(),
    followed: followedBy(row),
  };
}

/** `messages` are the campaign's; they contain the buttons' labels. */
export const presentContactOutcome = (row: ContactOutcomeRecord, messages: Placed): CampaignContact => ({
  ...row,
  clicks: row.clicks.map((click) => ({
    ...click,
    label: actionLabel(messages, click.messageIndex, click.actionIndex) || null,
  })),
});

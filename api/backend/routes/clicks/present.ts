import type { CampaignContact } from '#domain/api/campaign-contacts.ts';
import type { Click } from '#domain/api/campaign.ts';
import type { ClickRecord } from '#db/outreach/clicks/list.ts';
import type { buttonLabels } from '#domain/campaigns/variants/variants.ts';
import type { ContactOutcomeRecord } from '#db/outreach/outcomes/list.ts';

function followedBy({ tags, sessionId, openedAt, closedAt }: ClickRecord): Click['followed'] {
  const session =
    sessionId && openedAt
      ? { sessionId, openedAt: openedAt.toISOString(), closedAt: closedAt?.toISOString() ?? null }
      : null;
  return { tags: tags ?? [], session };
}

type LabelOf = ReturnType<typeof buttonLabels>;

/** `labelOf` names the buttons of the campaign. */
export function presentClick(row: ClickRecord, labelOf: LabelOf): Click {
  return {
    taskId: row.taskId,
    contactId: row.contactId,
    displayName: row.displayName,
    noticeId: row.noticeId,
    messageIndex: row.messageIndex,
    actionIndex: row.actionIndex,
    bizEventCode: row.bizEventCode,
    repeats: row.repeats,
    label: labelOf(row) || null,
    clickedAt: row.clickedAt.toISOString(),
    followed: followedBy(row),
  };
}

/** `labelOf` names the buttons of the campaign. */
export const presentContactOutcome = (row: ContactOutcomeRecord, labelOf: LabelOf): CampaignContact => ({
  ...row,
  clicks: row.clicks.map(({ messageCase, ...click }) => ({
    ...click,
    label: labelOf({ ...click, messageCase }) || null,
  })),
});

import type { Results } from '../../domain/api/campaign.ts';
import type { Message } from '../../domain/api/messages.ts';
import { type Database, rows } from '../database.ts';
import { readProgress } from './progress.ts';

type Clicks = Results['clicks'];

/** The button's text; empty where the campaign has no such button. */
export function actionLabel(messages: Message[], messageIndex: number | null, actionIndex: number): string {
  const message = messageIndex === null ? undefined : messages[messageIndex];
  return message?.type === 'buttons' ? (message.actions[actionIndex]?.label ?? '') : '';
}

/** Clicks that do not say which card they are of count for the first card with buttons. */
function firstCard(messages: Message[]): number {
  return Math.max(
    messages.findIndex(({ type }) => type === 'buttons'),
    0,
  );
}

const ofCampaign = 'from click_attribution where tenant_id = :tenantId and campaign_id = :campaignId';

/** One after another: they share the connection of a transaction. */
async function readClicks(db: Database, key: CampaignKey, messages: Message[]): Promise<Clicks> {
  const [totals] = await rows<Pick<Clicks, 'total' | 'repeats' | 'uniqueContacts'>>(
    db,
    `select count(*) as total, coalesce(sum(repeats), 0) as repeats, count(distinct contact_id) as "uniqueContacts"
     ${ofCampaign}`,
    { ...key },
  );
  const byAction = await rows<Omit<Clicks['byAction'][number], 'label'>>(
    db,
    `select coalesce(message_index, :first::int) as "messageIndex", action_index as "actionIndex",
       count(*) as clicks, count(distinct contact_id) as "uniqueContacts" ${ofCampaign} group by 1, 2 order by 1, 2`,
    { ...key, first: firstCard(messages) },
  );
  const byBizEventCode = await rows<Clicks['byBizEventCode'][number]>(
    db,
    `select biz_event_code as "bizEventCode", count(*) as clicks, count(distinct contact_id) as "uniqueContacts"
     ${ofCampaign} and biz_event_code is not null group by 1 order by 2 desc, 1`,
    { ...key },
  );
  const series = await rows<{ at: Date; clicks: number }>(
    db,
    `select date_trunc('hour', clicked_at, 'UTC') as at, count(*) as clicks ${ofCampaign} group by 1 order by 1`,
    { ...key },
  );
  return {
    total: totals?.total ?? 0,
    repeats: totals?.repeats ?? 0,
    uniqueContacts: totals?.uniqueContacts ?? 0,
    byAction: byAction.map((row) => ({ ...row, label: actionLabel(messages, row.messageIndex, row.actionIndex) })),
    byBizEventCode,
    series: series.map(({ at, clicks }) => ({ at: at.toISOString(), clicks })),
  };
}

interface CampaignKey {
  tenantId: string;
  campaignId: string;
}

/** Progress, clicks, conversations and conversions of one moment; undefined where the tenant has no such campaign. */
export function readResults(
  db: Database,
  tenantId: string,
  campaign: { id: string; messages: Message[] },
): Promise<Results | undefined> {
  const key = { tenantId, campaignId: campaign.id };
  return db.transaction(
    async (transaction) => {
      const progress = await readProgress(transaction, tenantId, campaign.id);
      if (!progress) return undefined;
      const clicks = await readClicks(transaction, key, campaign.messages);
      const [conversations] = await rows<Results['conversations']>(
        transaction,
        `select count(*) as opened, count(closed_at) as closed
         from conversation where tenant_id = :tenantId and campaign_id = :campaignId`,
        { ...key },
      );
      const tagged = await rows<Results['tagged'][number]>(
        transaction,
        `select tag_id as "tagId", count(*) as contacts from tag_assignment
         where tenant_id = :tenantId and source_campaign_id = :campaignId group by 1 order by 2 desc, 1`,
        { ...key },
      );
      return { ...progress, clicks, conversations: conversations ?? { opened: 0, closed: 0 }, tagged };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

import type { Results } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import { actionLabel } from '#domain/campaigns/action-label.ts';
import { messagesByPlace, type VariedMessages } from '#domain/campaigns/variants/variants.ts';
import { type Database, rows } from '#db/database.ts';
import { readCases } from '../sends/case-figures.ts';
import { readRevenueOf } from '../revenue/sums.ts';
import { readCounts } from '../sends/progress.ts';
import type { CampaignKey } from '../sends/ledger/campaign-key.ts';

type Clicks = Results['clicks'];

const ofCampaign = 'where tenant_id = :tenantId and campaign_id = :campaignId';

/**
 * From the roll-ups, which match the rows. Run one after another, since they share the connection of a transaction.
 */
export async function readClicks(
  database: Database,
  key: CampaignKey,
  messages: readonly (Message | undefined)[],
): Promise<Clicks> {
  const of = <Row>(sql: string) => rows<Row>(database, sql, { ...key });
  const [totals] = await of<Pick<Clicks, 'total' | 'uniqueContacts'>>(
    `select clicks as total, contacts as unique_contacts from campaign_clicks ${ofCampaign}`,
  );
  const byAction = await of<Omit<Clicks['byAction'][number], 'label'>>(
    `select message_index, action_index, clicks, contacts as unique_contacts
     from button_clicks ${ofCampaign} order by 1, 2`,
  );
  const byBizEventCode = await of<Clicks['byBizEventCode'][number]>(
    `select biz_event_code, clicks, contacts as unique_contacts
     from event_code_clicks ${ofCampaign} order by 2 desc, 1`,
  );
  const hours = await of<{ at: Date; clicks: number; repeats: number }>(
    `select at, clicks, repeats from click_hour ${ofCampaign} order by at`,
  );
  return {
    total: totals?.total ?? 0,
    repeats: hours.reduce((sum, { repeats }) => sum + repeats, 0),
    uniqueContacts: totals?.uniqueContacts ?? 0,
    byAction: byAction.map((row) => ({ ...row, label: actionLabel(messages, row.messageIndex, row.actionIndex) })),
    byBizEventCode,
    series: hours.map(({ at, clicks }) => ({ at: at.toISOString(), clicks })),
  };
}

/**
 * Progress, clicks, conversations, conversions and revenue as of one point in time; null if the tenant has no such campaign.
 */
export function readResults(
  database: Database,
  tenantId: string,
  campaign: VariedMessages & { id: string },
): Promise<Results | null> {
  const key = { tenantId, campaignId: campaign.id };
  const messages = messagesByPlace(campaign);
  return database.transaction(
    async (transaction) => {
      const found = await readCounts(transaction, key);
      if (!found) return null;
      const clicks = await readClicks(transaction, key, messages);
      const [conversations] = await rows<Results['conversations']>(
        transaction,
        `select coalesce(sum(opened), 0) as opened, coalesce(sum(closed), 0) as closed from conversation_hour ${ofCampaign}`,
        { ...key },
      );
      const tagged = await rows<Results['tagged'][number]>(
        transaction,
        `select tag_id, sum(contacts) as contacts from conversion_hour ${ofCampaign}
         group by 1 having sum(contacts) > 0 order by 2 desc, 1`,
        { ...key },
      );
      const revenue = await readRevenueOf(transaction, key, messages);
      const byCase = await readCases(transaction, key, campaign);
      return {
        ...found.counts,
        clicks,
        conversations: conversations ?? { opened: 0, closed: 0 },
        tagged,
        revenue,
        byCase,
      };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

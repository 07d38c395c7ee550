import { type Database, firstRow, rows } from '#db/database.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';

/**
 * Stores the source that F1 returned. Of several calls the first counts for sending; the others' sources are ended
 * with the campaign. An id that the platform has already returned for another campaign belongs to this one from now
 * on. If the campaign was changed during the call, F2 is needed.
 * @returns the source that counts.
 */
export function storeSource(
  database: Database,
  { sourceId, sent, ...key }: CampaignKey & { sourceId: string; sent: { name: string; endsAt: Date | null } },
): Promise<string> {
  return database.transaction(async (transaction) => {
    const row = await firstRow<{ sourceId: string; name: string; endsAt: Date | null }>(
      transaction,
      `update campaign set source_id = coalesce(source_id, :sourceId)
       where tenant_id = :tenantId and campaign_id = :campaignId
       returning source_id, name, ends_at`,
      { ...key, sourceId },
    );
    const changed = row?.name !== sent.name || row.endsAt?.getTime() !== sent.endsAt?.getTime();
    await rows(
      transaction,
      `insert into entry_source (tenant_id, source_id, campaign_id, wanted)
       select :tenantId, :sourceId, campaign_id, :wanted from campaign
       where tenant_id = :tenantId and campaign_id = :campaignId
       on conflict (tenant_id, source_id) do update set campaign_id = excluded.campaign_id, wanted = excluded.wanted,
         told = 0, ended_at = null, error_code = null, error_message = null, error_call = null, error_at = null,
         created_at = now()
       where entry_source.campaign_id <> excluded.campaign_id`,
      { ...key, sourceId, wanted: changed ? 1 : 0 },
    );
    return row?.sourceId ?? sourceId;
  });
}

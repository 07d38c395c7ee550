import type { PostbackAction } from '#domain/api/messages.ts';
import { readClickOrigin } from '#domain/campaigns/postback.ts';
import { type Database, rows } from '#db/database.ts';

const RECENT_CAMPAIGNS = 100;

/** The event codes of replies in the tenant's last 100 campaigns, drafts included: each once, in alphabetical order. */
export async function recentEventCodes(
  database: Database,
  tenantId: string,
  { serviceNumberId }: { serviceNumberId?: string | undefined },
): Promise<string[]> {
  const found = await rows<{ data: PostbackAction['data'] }>(
    database,
    `select distinct jsonb_path_query(coalesce(messages, messages_by), '$.**.actions[*].data') as data from (
       select messages, messages_by, service_number_id from campaign where tenant_id = :tenantId
       order by created_at desc, campaign_id desc limit ${RECENT_CAMPAIGNS}) recent
     where :serviceNumberId::text is null or service_number_id = :serviceNumberId`,
    { tenantId, serviceNumberId: serviceNumberId ?? null },
  );
  const codes = found.flatMap(({ data }) => readClickOrigin(data).bizEventCode ?? []);
  return [...new Set(codes)].toSorted((one, other) => one.localeCompare(other, 'en'));
}

import { type Database, rows } from '#db/database.ts';
import type { Erasure } from './erasures.ts';

/** SQL condition on a part `p` of an event for a webhook: it tells of the contact. */
export const partTellsOf = 'p.tenant_id = :tenantId and p.contact_ids @> array[:contactId::text]';

const rename = `
  update outgoing_event_part p set contact_ids = array_replace(p.contact_ids, :contactId, :pseudonym),
    items = (select jsonb_agg(case when item ->> 'contactId' = :contactId::text
        then item || jsonb_build_object('contactId', :pseudonym::text) else item end order by place)
      from jsonb_array_elements(p.items) with ordinality as of_part (item, place))
  where ${partTellsOf}`;

/** Events that are not delivered yet, or are delivered again, tell of the pseudonym from now on. */
export async function renameInOutgoing(database: Database, { tenantId, contactId, pseudonym }: Erasure): Promise<void> {
  await rows(database, rename, { tenantId, contactId, pseudonym });
}

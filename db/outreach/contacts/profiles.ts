import type { ContactProfile } from '#domain/contacts/profile.ts';
import { rows, type Transaction } from '#db/database.ts';

export interface ContactKey {
  tenantId: string;
  serviceNumberId: string;
  contactId: string;
}

/** `ordinal` is null where no profile is stored yet. */
export type StoredProfile = ContactKey & ContactProfile & { ordinal: number | null };

const keys = (contacts: ContactKey[]) => ({
  tenantIds: contacts.map(({ tenantId }) => tenantId),
  serviceNumberIds: contacts.map(({ serviceNumberId }) => serviceNumberId),
  contactIds: contacts.map(({ contactId }) => contactId),
});

/** The existing profiles, locked until the transaction ends. */
export function lockProfiles(transaction: Transaction, contacts: ContactKey[]): Promise<StoredProfile[]> {
  return rows<StoredProfile>(
    transaction,
    `select p.tenant_id, p.service_number_id, p.contact_id, p.display_name, p.channel, p.language, p.region,
       p.attributes, p.follow_state, p.unsubscribed, p.entered_at, p.last_event_at, p.field_times, p.ordinal
     from contact_profile p
     join unnest(:tenantIds::text[], :serviceNumberIds::text[], :contactIds::text[])
       as g(tenant_id, service_number_id, contact_id) using (tenant_id, service_number_id, contact_id)
     order by p.tenant_id, p.service_number_id, p.contact_id for update of p`,
    keys(contacts),
  );
}

/** SQL: what segments ask of a profile, and whether it can be reached. A change of anything else begins no new past. */
const asked = (profile: string) =>
  ['channel', 'language', 'region', 'attributes', 'follow_state', 'unsubscribed', 'entered_at']
    .map((column) => `${profile}.${column}`)
    .join(', ');

/**
 * Upserts the given profiles, of which those with an ordinal are locked. A trigger keeps earlier versions.
 * @returns the contacts that are stored: one without an ordinal is not if another transaction has stored it first.
 */
export function storeProfiles(transaction: Transaction, profiles: StoredProfile[], now: Date): Promise<ContactKey[]> {
  const column = <Name extends keyof StoredProfile>(name: Name) => profiles.map((profile) => profile[name]);
  return rows<ContactKey>(
    transaction,
    `insert into contact_profile as p (tenant_id, service_number_id, contact_id, display_name, channel, language, region,
       attributes, follow_state, unsubscribed, entered_at, last_event_at, field_times, changed_at, ordinal)
     select tenant_id, service_number_id, contact_id, g.display_name, g.channel, g.language, g.region,
       g.attributes::jsonb, g.follow_state, g.unsubscribed, g.entered_at, g.last_event_at, g.field_times::jsonb, :now::timestamptz,
       coalesce(g.ordinal, nextval('contact_ordinal'))
     from unnest(:tenantIds::text[], :serviceNumberIds::text[], :contactIds::text[], :displayNames::text[],
         :channels::text[], :languages::text[], :regions::text[], :attributes::text[], :followStates::text[],
         :unsubscribed::boolean[], :enteredAt::timestamptz[], :lastEventAt::timestamptz[], :fieldTimes::text[], :ordinals::integer[])
       as g(tenant_id, service_number_id, contact_id, display_name, channel, language, region, attributes,
         follow_state, unsubscribed, entered_at, last_event_at, field_times, ordinal)
     on conflict (tenant_id, service_number_id, contact_id) do update set display_name = excluded.display_name,
       channel = excluded.channel, language = excluded.language, region = excluded.region,
       attributes = excluded.attributes, follow_state = excluded.follow_state, unsubscribed = excluded.unsubscribed,
       entered_at = excluded.entered_at, last_event_at = excluded.last_event_at, field_times = excluded.field_times,
       changed_at = case when (${asked('excluded')}) is distinct from (${asked('p')}) then excluded.changed_at
         else p.changed_at end,
       updated_at = now()
     where p.ordinal = excluded.ordinal
     returning p.tenant_id, p.service_number_id, p.contact_id`,
    {
      ...keys(profiles),
      now,
      displayNames: column('displayName'),
      channels: column('channel'),
      languages: column('language'),
      regions: column('region'),
      attributes: column('attributes').map((value) => JSON.stringify(value)),
      followStates: column('followState'),
      unsubscribed: column('unsubscribed'),
      enteredAt: column('enteredAt').map((time) => time?.toISOString() ?? null),
      lastEventAt: column('lastEventAt').map((time) => time.toISOString()),
      fieldTimes: column('fieldTimes').map((value) => JSON.stringify(value)),
      ordinals: column('ordinal'),
    },
  );
}

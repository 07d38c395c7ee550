import type { ProfileField } from '#domain/contacts/segment-limits.ts';
import { type Database, rows } from '#db/database.ts';
import { folded } from '#db/outreach/sql-fragments.ts';

/** As long as a segment can compare them. */
const LONGEST_VALUE = 1000;

export interface ValuesAsked {
  tenantId: string;
  serviceNumberId: string;
  field: ProfileField;
  /** Of an attribute. */
  name?: string | undefined;
  prefix?: string | undefined;
  limit: number;
}

/** Objects and lists of an attribute are left out: nobody compares with their JSON. */
const attribute = `case when jsonb_typeof(attributes -> :name) in ('string', 'number', 'boolean') then attributes ->> :name end`;

/**
 * The values of a field that begin with `prefix`, in whatever case, and how many contacts have each; those of most contacts
 * first, then by value. Reads all contacts of the service number.
 */
export function countValues(
  database: Database,
  { field, prefix = '', ...asked }: ValuesAsked,
): Promise<{ value: string; contacts: number }[]> {
  const value = field === 'attribute' ? attribute : field;
  return rows(
    database,
    `select value, contacts from (
       select ${value} as value, count(*)::int as contacts from contact_profile
       where tenant_id = :tenantId and service_number_id = :serviceNumberId group by 1) counted
     where length(value) between 1 and ${LONGEST_VALUE}
       and starts_with(${folded('value')}, ${folded(':prefix::text')})
     order by contacts desc, value collate "C" limit :limit`,
    { ...asked, name: asked.name ?? null, prefix },
  );
}

import { type Database, firstRow, rows } from '#db/database.ts';

/** What says which contacts are in the tenant's control group, as bindings of `inControlGroup`. */
export interface ControlGroup {
  controlKey: number;
  /** Of 2³² values of the hash, those below it. */
  controlBound: number;
}

const HASHES = 2 ** 32;

/** The tenant's control group; null if nobody is in one. */
export async function controlGroupOf(database: Database, tenantId: string): Promise<ControlGroup | null> {
  const row = await firstRow<{ percent: number; controlKey: number }>(
    database,
    `select control_percent as percent, control_key from tenant
     where tenant_id = :tenantId and control_percent > 0 and control_key is not null`,
    { tenantId },
  );
  return row && { controlKey: row.controlKey, controlBound: Math.floor((row.percent / 100) * HASHES) };
}

/**
 * SQL: whether a contact is in the control group. PostgreSQL's own hash, which partitions rest on: a million HMACs would take
 * longer than counting the audience. A higher share has everybody of a lower one.
 */
export const inControlGroup = (contactId: string): string =>
  `((hashtextextended(${contactId}, :controlKey::bigint) >> 32) & ${HASHES - 1}) < :controlBound::bigint`;

/** Which of these contacts are in the tenant's control group. */
export async function membersOfControlGroup(
  database: Database,
  tenantId: string,
  contactIds: readonly string[],
): Promise<Set<string>> {
  const group = await controlGroupOf(database, tenantId);
  if (!group) return new Set();
  const found = await rows<{ contactId: string }>(
    database,
    `select contact_id from unnest(:contactIds::text[]) as contact_id where ${inControlGroup('contact_id')}`,
    { ...group, contactIds },
  );
  return new Set(found.map(({ contactId }) => contactId));
}

import { createHmac, randomBytes } from 'node:crypto';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';

/** An erasure under way. */
export interface Erasure {
  erasureId: string;
  tenantId: string;
  contactId: string;
  /** What stands for the contact where its rows are counted. */
  pseudonym: string;
}

/** A row of `erased_contact` that is not finished. */
export interface Unfinished {
  erasureId: string;
  tenantId: string;
  contactEncrypted: string;
  pseudonym: string;
}

export const hashOf = (key: string, contactId: string): string =>
  createHmac('sha256', Buffer.from(key, 'base64')).update(contactId).digest('hex');

/** The tenant's key, which is made where it has none; locked, so that two erasures of one contact are one. */
export async function lockKey(transaction: Transaction, encryption: Encryption, tenantId: string): Promise<string> {
  const made = encryption.encrypt(randomBytes(32).toString('base64'), tenantId);
  await rows(
    transaction,
    `insert into erasure_key (tenant_id, secret_encrypted) values (:tenantId, :made) on conflict (tenant_id) do nothing`,
    { tenantId, made },
  );
  const row = await firstRow<{ secretEncrypted: string }>(
    transaction,
    'select secret_encrypted from erasure_key where tenant_id = :tenantId for update',
    { tenantId },
  );
  if (!row) throw new Error(`tenant ${tenantId} has no key for erasures`);
  return encryption.decrypt(row.secretEncrypted, tenantId);
}

export const unfinished =
  'erasure_id, tenant_id, contact_encrypted, pseudonym from erased_contact where finished_at is null';

export const opened = (encryption: Encryption, { contactEncrypted, ...row }: Unfinished): Erasure => ({
  ...row,
  contactId: encryption.decrypt(contactEncrypted, row.erasureId),
});

/** Whether an erasure of the contact was begun and is not finished. */
export async function isBeingErased(
  database: Database,
  encryption: Encryption,
  { tenantId, contactId }: Pick<Erasure, 'tenantId' | 'contactId'>,
): Promise<boolean> {
  const hashes = await hashesOf(database, encryption, [tenantId]);
  const idHash = hashes.get(tenantId)?.(contactId);
  if (idHash === undefined) return false;
  const found = await firstRow(
    database,
    'select 1 as found from erased_contact where tenant_id = :tenantId and id_hash = :idHash and finished_at is null',
    { tenantId, idHash },
  );
  return found !== null;
}

/** The oldest erasures that were requested before `before` and are not finished: their process died. */
export async function unfinishedErasures(
  database: Database,
  encryption: Encryption,
  { before, limit }: { before: Date; limit: number },
): Promise<Erasure[]> {
  const found = await rows<Unfinished>(
    database,
    `select ${unfinished} and requested_at < :before order by requested_at limit :limit`,
    { before, limit },
  );
  return found.map((row) => opened(encryption, row));
}

/** From now on, events of the contact are taken again if they occurred after `now`. */
export async function markErased(database: Database, { erasureId }: Erasure, now: Date): Promise<void> {
  await rows(
    database,
    'update erased_contact set erased_at = coalesce(erased_at, :now) where erasure_id = :erasureId',
    { erasureId, now },
  );
}

/** Nothing names the contact any more, and nothing leads from its id to its pseudonym. */
export async function finishErasure(database: Database, { erasureId }: Erasure, now: Date): Promise<void> {
  await rows(
    database,
    `update erased_contact set finished_at = :now, contact_encrypted = null, pseudonym = null
     where erasure_id = :erasureId and finished_at is null`,
    { erasureId, now },
  );
}

/** The hash of a tenant's contact ids. Tenants that never erased anybody are left out. */
async function hashesOf(
  database: Database,
  encryption: Encryption,
  tenantIds: readonly string[],
): Promise<Map<string, (contactId: string) => string>> {
  const found = await rows<{ tenantId: string; secretEncrypted: string }>(
    database,
    'select tenant_id, secret_encrypted from erasure_key where tenant_id = any(:tenantIds)',
    { tenantIds: [...new Set(tenantIds)] },
  );
  return new Map(
    found.map(({ tenantId, secretEncrypted }) => {
      const key = encryption.decrypt(secretEncrypted, tenantId);
      return [tenantId, (contactId: string) => hashOf(key, contactId)];
    }),
  );
}

/**
 * Which ids are of contacts whose erasure was under way at this time or was begun since; null if there are none. That of a
 * finished one is known by its hash alone.
 */
export async function erasedSince(
  database: Database,
  encryption: Encryption,
  tenantId: string,
  since: Date,
): Promise<((contactId: string) => boolean) | null> {
  const found = await rows<{ idHash: string }>(
    database,
    'select id_hash from erased_contact where tenant_id = :tenantId and (finished_at is null or finished_at >= :since)',
    { tenantId, since },
  );
  if (found.length === 0) return null;
  const erased = new Set(found.map(({ idHash }) => idHash));
  const hash = (await hashesOf(database, encryption, [tenantId])).get(tenantId);
  return (contactId) => hash !== undefined && erased.has(hash(contactId));
}

/** Something that happened to a contact; `contactIdOf` is asked only if its tenant has erased anybody. */
export interface Happening {
  tenantId: string;
  occurredAt: Date;
  contactIdOf: () => string | null;
}

/** Those of the happenings whose contact has been erased since, or is being erased. */
export async function fromBeforeErasure<Item extends Happening>(
  database: Database,
  encryption: Encryption,
  happenings: readonly Item[],
): Promise<Set<Item>> {
  const hashes = await hashesOf(
    database,
    encryption,
    happenings.map(({ tenantId }) => tenantId),
  );
  const hashed = happenings.flatMap((item) => {
    const contactId = hashes.get(item.tenantId) && item.contactIdOf();
    const idHash = contactId == null ? undefined : hashes.get(item.tenantId)?.(contactId);
    return idHash === undefined ? [] : [{ item, idHash }];
  });
  if (hashed.length === 0) return new Set();
  const found = await rows<{ position: number }>(
    database,
    `select g.position from unnest(:tenantIds::text[], :hashes::text[], :times::timestamptz[])
       with ordinality as g(tenant_id, id_hash, occurred_at, position)
     where exists (select 1 from erased_contact e where e.tenant_id = g.tenant_id and e.id_hash = g.id_hash
       and coalesce(e.erased_at, 'infinity') >= g.occurred_at)`,
    {
      tenantIds: hashed.map(({ item }) => item.tenantId),
      hashes: hashed.map(({ idHash }) => idHash),
      times: hashed.map(({ item }) => item.occurredAt.toISOString()),
    },
  );
  return new Set(found.flatMap(({ position }) => hashed[position - 1]?.item ?? []));
}

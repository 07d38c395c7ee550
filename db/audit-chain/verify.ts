import { createHash } from 'node:crypto';
import { keptSince } from '#domain/retention.ts';
import { type Database, firstRow, rows } from '../database.ts';
import { type ChainEnd, sealAllAudit } from './seal.ts';
import { sealedTime, type SealedTable } from './tables.ts';

/**
 * What is wrong with an entry or its seal. `unsealed`: no seal has it, it was inserted around the chain. `broken`: the
 * seal does not follow from the one before, so one of them was changed, deleted, inserted or moved. `backdated`: it was
 * written long after the time that it gives. `shortened`: a chain ends before an end that was noted earlier, or says
 * something else there. `forgotten_early`: entries are gone whose retention had not passed.
 */
export type Fault = 'changed' | 'removed' | 'unsealed' | 'broken' | 'backdated' | 'shortened' | 'forgotten_early';

export interface Finding {
  tenantId: string;
  fault: Fault;
  /** Null where no single entry is concerned. */
  entryId: string | null;
  /** In the chain; null if the entry has no place in it. */
  position: number | null;
}

/** One tenant's chain. */
export interface Verified {
  tenantId: string;
  /** Seals that were read. */
  seals: number;
  /** Entries in which an erasure put a pseudonym. */
  rewritten: number;
  /** Entries from before may be missing, since when and why. */
  forgotten: { before: Date; at: Date; because: string } | null;
  end: ChainEnd;
  /** The first that does not fit. */
  finding: Finding | null;
}

export interface VerifyOptions {
  auditDays: number;
  /** Ends that were noted earlier, elsewhere. */
  noted: readonly ChainEnd[];
}

interface Chain {
  tenantId: string;
  position: number;
  hash: Buffer;
  removedTo: number;
  removedHash: Buffer;
  removedBefore: Date | null;
  removedAt: Date | null;
  removedAs: string | null;
}

interface Seal {
  position: number;
  entryId: string;
  erasureId: string | null;
  digest: Buffer;
  hash: Buffer;
  said: string;
  /** Of the entry as its last rewriting left it. */
  current: Buffer;
  content: string | null;
  forgotten: boolean;
  backdated: boolean;
}

const PAGE = 1000;

const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** A transaction never takes as long: an entry has the time at which its own began. */
const LONGEST_TRANSACTION = '1 hour';

// A queue that has just been emptied is slow to read: once a page is enough.
const sealsOf = ({ table, isOf, content }: SealedTable) => `
  with waiting as materialized (
    select number, entry_id, digest from audit_unsealed where tenant_id = :tenantId and erasure_id is not null)
  select s.position, s.entry_id, s.erasure_id, s.digest, s.hash,
    case when a.tenant_id is not null then ${content} end as content,
    jsonb_build_array(s.tenant_id, s.position, s.entry_id, ${sealedTime('s.written_at')}, ${sealedTime('s.noted_at')},
      s.erasure_id)::text as said,
    coalesce(
      (select w.digest from waiting w where w.entry_id = s.entry_id order by w.number desc limit 1),
      (select x.digest from audit_seal x where x.tenant_id = s.tenant_id and x.entry_id = s.entry_id
         and x.erasure_id is not null order by x.position desc limit 1),
      s.digest) as current,
    coalesce(s.written_at < c.removed_before, false) as forgotten,
    s.erasure_id is null and s.noted_at - s.written_at > interval '${LONGEST_TRANSACTION}' as backdated
  from audit_seal s join audit_chain c using (tenant_id)
    left join ${table} a on a.tenant_id = s.tenant_id and ${isOf} and a.at = s.written_at
  where s.tenant_id = :tenantId and s.position > :after order by s.position limit ${PAGE}`;

const unsealedOf = ({ table, id }: SealedTable) => `
  with waiting as materialized (select entry_id, written_at from audit_unsealed where tenant_id = :tenantId)
  select a.${id}::text as entry_id from ${table} a left join audit_chain c using (tenant_id)
  where a.tenant_id = :tenantId and (c.removed_before is null or a.at >= c.removed_before)
    and not exists (select from audit_seal s where s.tenant_id = a.tenant_id and s.entry_id = a.${id}::text
      and s.written_at = a.at)
    and not exists (select from waiting w where w.entry_id = a.${id}::text and w.written_at = a.at)
  order by a.at, a.${id} limit 1`;

/** The fault of a seal after one with this hash at this position, or of its entry. */
function faultOf(seal: Seal, before: { position: number; hash: Buffer }): Fault | null {
  if (seal.position !== before.position + 1) return 'removed';
  if (!sha256(before.hash, seal.digest, seal.said).equals(seal.hash)) return 'broken';
  if (seal.content === null) return seal.forgotten ? null : 'removed';
  if (!sha256(seal.content).equals(seal.current)) return 'changed';
  return seal.backdated ? 'backdated' : null;
}

interface Read {
  seals: number;
  rewritten: number;
  position: number;
  hash: Buffer;
  finding: Finding | null;
}

/** Reads the seals in their order, until one does not fit. */
async function readSeals(
  database: Database,
  audited: SealedTable,
  chain: Chain,
  noted: ChainEnd | undefined,
): Promise<Read> {
  const { tenantId } = chain;
  const read: Read = { seals: 0, rewritten: 0, position: chain.removedTo, hash: chain.removedHash, finding: null };
  const sql = sealsOf(audited);
  for (;;) {
    const page = await rows<Seal>(database, sql, { tenantId, after: read.position });
    for (const seal of page) {
      const differs = noted?.position === seal.position && noted.hash !== seal.hash.toString('hex');
      const fault = faultOf(seal, read) ?? (differs ? 'shortened' : null);
      const { position, hash, entryId } = seal;
      if (fault) return { ...read, finding: { tenantId, fault, entryId, position: seal.position } };
      Object.assign(read, { position, hash, seals: read.seals + 1 });
      if (seal.erasureId !== null) read.rewritten += 1;
    }
    if (page.length < PAGE) return read;
  }
}

/** The chain as a whole: its end, and whether its beginning is missing. */
function faultOfChain(chain: Chain, read: Read, noted: ChainEnd | undefined, auditDays: number): Fault | null {
  if (chain.position !== read.position || !chain.hash.equals(read.hash)) return 'removed';
  if (noted && noted.position > chain.position) return 'shortened';
  const { removedBefore, removedAt, removedAs } = chain;
  const early = removedBefore && removedAt && removedBefore > keptSince(auditDays, removedAt);
  return removedAs === 'retention' && early ? 'forgotten_early' : null;
}

async function verifyTenant(
  database: Database,
  audited: SealedTable,
  chain: Chain,
  { auditDays, noted: ends }: VerifyOptions,
): Promise<Verified> {
  const { tenantId, removedBefore, removedAt, removedAs } = chain;
  const noted = ends.find((end) => end.tenantId === tenantId);
  const read = await readSeals(database, audited, chain, noted);
  const fault = faultOfChain(chain, read, noted, auditDays);
  const ofChain = fault ? { tenantId, fault, entryId: null, position: read.position } : null;
  const around = await firstRow<{ entryId: string }>(database, unsealedOf(audited), { tenantId });
  const unsealed: Finding | null = around && { tenantId, fault: 'unsealed', entryId: around.entryId, position: null };
  return {
    tenantId,
    seals: read.seals,
    rewritten: read.rewritten,
    forgotten:
      removedBefore && removedAt ? { before: removedBefore, at: removedAt, because: removedAs ?? 'unknown' } : null,
    end: { tenantId, position: chain.position, hash: chain.hash.toString('hex') },
    finding: read.finding ?? unsealed ?? ofChain,
  };
}

const chainsOf = ({ table }: SealedTable) => `
  select t.tenant_id, coalesce(c.position, 0) as position, coalesce(c.hash, zero.hash) as hash,
    coalesce(c.removed_to, 0) as removed_to, coalesce(c.removed_hash, zero.hash) as removed_hash,
    c.removed_before, c.removed_at, c.removed_as
  from (select tenant_id from audit_chain union select tenant_id from audit_seal union select tenant_id from ${table}
        union select unnest(:noted::text[])) t(tenant_id)
    left join audit_chain c using (tenant_id) cross join (select decode(repeat('00', 32), 'hex') as hash) zero
  order by 1`;

/**
 * Seals what is not sealed yet, then compares every entry with its seal and every seal with the one before, of all
 * tenants as they are at one moment.
 */
export async function verifyAudit(
  database: Database,
  audited: SealedTable,
  options: VerifyOptions,
): Promise<Verified[]> {
  await sealAllAudit(database);
  return await database.transaction(
    async (transaction) => {
      const noted = options.noted.map(({ tenantId }) => tenantId);
      const verified: Verified[] = [];
      for (const chain of await rows<Chain>(transaction, chainsOf(audited), { noted }))
        verified.push(await verifyTenant(transaction, audited, chain, options));
      return verified;
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

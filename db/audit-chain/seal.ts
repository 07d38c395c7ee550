import { type Database, rows } from '../database.ts';

/** The end of a tenant's chain of audit entries. */
export interface ChainEnd {
  tenantId: string;
  /** How many seals it has had. */
  position: number;
  /** Of the last one, in hexadecimal. */
  hash: string;
}

/**
 * Gives at most `maximum` new audit entries their place in the chain of their tenant, unless another process is doing
 * that.
 * @returns the ends of the chains that grew.
 */
export function sealAudit(database: Database, maximum = 1000): Promise<ChainEnd[]> {
  return rows<ChainEnd>(
    database,
    `select tenant_id, position, encode(hash, 'hex') as hash from seal_audit(:maximum) order by tenant_id`,
    { maximum },
  );
}

/** Seals unsealed entries, including those added in the meantime. @returns the new ends of the chains. */
export async function sealAllAudit(database: Database): Promise<ChainEnd[]> {
  const ends = new Map<string, ChainEnd>();
  for (;;) {
    const grown = await sealAudit(database);
    if (grown.length === 0) return [...ends.values()];
    for (const end of grown) ends.set(end.tenantId, end);
  }
}

import type { ToolName } from '#domain/api/tools.ts';
import type { Database } from '#db/database.ts';
import { ToolTokenRow } from '../models/tenants.ts';

export interface NewToolToken {
  tokenId: string;
  /** A platformUserId, or `service:<name>`. */
  actor: string;
  tools: readonly ToolName[];
  expiresAt: Date;
}

/** Stores a token that is about to be issued, and deletes the tenant's expired ones. */
export async function storeToolToken(
  database: Database,
  tenantId: string,
  { tools, ...token }: NewToolToken,
  now: Date,
): Promise<void> {
  await ToolTokenRow.query(database).where({ tenantId }).where('expiresAt', '<', now).delete();
  await ToolTokenRow.query(database).insert({ ...token, tenantId, tools: [...tools], issuedAt: now });
}

/** A token, revoked or not; null if there is none, or if it expired and was forgotten. */
export async function findToolToken(
  database: Database,
  tenantId: string,
  tokenId: string,
): Promise<ToolTokenRow | null> {
  return (await ToolTokenRow.query(database).findById([tenantId, tokenId])) ?? null;
}

/** @returns whether it is revoked now, was revoked before, or is no token of the tenant */
export async function revokeToolToken(
  database: Database,
  tenantId: string,
  tokenId: string,
  now: Date,
): Promise<'now' | 'before' | 'unknown'> {
  const token = ToolTokenRow.query(database).findById([tenantId, tokenId]);
  const revoked = await token.clone().whereNull('revokedAt').patch({ revokedAt: now });
  if (revoked > 0) return 'now';
  return (await token) ? 'before' : 'unknown';
}

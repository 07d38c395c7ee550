import { raw } from 'objection';
import type { BffDatabase } from './database.ts';
import { type IntegrationStatus, Session } from './models.ts';

export const IDLE_MINUTES = 30;
export const MAXIMUM_HOURS = 12;

export interface NewSession {
  tokenHash: Buffer;
  kind: 'cookie' | 'bearer';
  platformTenantId: string;
  userId: string;
  name: string;
  roles: readonly string[];
  expiresAt: Date;
  /** The platform token itself, kept sealed for what is forwarded with it. Cookie sessions only. */
  platformToken?: string;
}

/** A session that is still good, with the state of its tenant's integration (null: never installed). */
export type FoundSession = Session & { integrationStatus: IntegrationStatus | null };

/** Binds a sealed platform token to its row. */
const context = (tokenHash: Buffer): string => `session:${tokenHash.toString('hex')}`;

/** Stores it; a platform token that was seen before keeps its session. */
export async function createSession({ knex, encryption }: BffDatabase, session: NewSession): Promise<void> {
  const { platformToken, roles, ...rest } = session;
  const now = new Date();
  await Session.query(knex)
    .insert({
      ...rest,
      roles: [...roles],
      platformTokenEncrypted: platformToken ? encryption.encrypt(platformToken, context(rest.tokenHash)) : null,
      createdAt: now,
      lastUsedAt: now,
    })
    .onConflict('token_hash')
    .ignore();
}

/** A session within its times, by the hash of what the browser or client shows. */
export async function findSession(
  { knex }: BffDatabase,
  tokenHash: Buffer,
  kind: 'cookie' | 'bearer',
): Promise<FoundSession | undefined> {
  const row = await Session.query(knex)
    .findById(tokenHash)
    .where({ kind })
    .whereRaw('expires_at > now()')
    .whereRaw(`(kind = 'bearer' or last_used_at > now() - interval '${IDLE_MINUTES} minutes')`)
    .select(
      'session.*',
      raw(`(select i.status from tenant_integration i where i.platform_tenant_id = session.platform_tenant_id
             order by i.status = 'ACTIVE' desc, i.created_at desc limit 1)`).as('integration_status'),
    );
  return row as FoundSession | undefined;
}

/** Notes the use, at most once a minute. */
export async function touchSession({ knex }: BffDatabase, session: Session): Promise<void> {
  if (Date.now() - session.lastUsedAt.getTime() < 60_000) return;
  await Session.query(knex).findById(session.tokenHash).patch({ lastUsedAt: new Date() });
}

/** The platform token that a cookie session was made from. */
export function platformTokenOf({ encryption }: BffDatabase, session: Session): string | undefined {
  return session.platformTokenEncrypted
    ? encryption.decrypt(session.platformTokenEncrypted, context(session.tokenHash))
    : undefined;
}

export async function endSession({ knex }: BffDatabase, tokenHash: Buffer): Promise<void> {
  await Session.query(knex).deleteById(tokenHash);
}

/** Deletes what has passed its times; gives how many there were. */
export async function sweepSessions({ knex }: BffDatabase): Promise<number> {
  return Session.query(knex)
    .whereRaw('expires_at < now()')
    .orWhereRaw(`(kind = 'cookie' and last_used_at < now() - interval '${IDLE_MINUTES} minutes')`)
    .delete();
}

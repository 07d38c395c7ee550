import type { Knex } from 'knex';
import { raw } from 'objection';
import type { Encryption } from '../encryption.ts';
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

/** A session that is still good, with the state of its tenant's integration (undefined: never installed). */
export type FoundSession = Session & { integrationStatus: IntegrationStatus | undefined };

export type SessionRepository = ReturnType<typeof createSessions>;

/** Sessions by the hash of what the browser or client shows. */
export function createSessions(knex: Knex, encryption: Encryption) {
  const context = (tokenHash: Buffer) => `session:${tokenHash.toString('hex')}`;

  /** Stores it; a platform token that was seen before keeps its session. */
  async function create(session: NewSession): Promise<void> {
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

  async function find(tokenHash: Buffer, kind: 'cookie' | 'bearer'): Promise<FoundSession | undefined> {
    const row = await Session.query(knex)
      .findById(tokenHash)
      .where({ kind })
      .where('expires_at', '>', raw('now()'))
      .whereRaw(`(kind = 'bearer' or last_used_at > now() - interval '${IDLE_MINUTES} minutes')`)
      .select(
        'session.*',
        raw(`(select i.status from tenant_integration i where i.platform_tenant_id = session.platform_tenant_id
               order by i.status = 'ACTIVE' desc, i.created_at desc limit 1) as integration_status`),
      );
    return row ? (Object.assign(row, { integrationStatus: integrationStatus(row) }) as FoundSession) : undefined;
  }

  function integrationStatus(row: Session): IntegrationStatus | undefined {
    return (row as Partial<FoundSession>).integrationStatus ?? undefined;
  }

  /** Notes the use, at most once a minute. */
  async function touch(session: Session): Promise<void> {
    if (Date.now() - session.lastUsedAt.getTime() < 60_000) return;
    await Session.query(knex).findById(session.tokenHash).patch({ lastUsedAt: new Date() });
  }

  const platformTokenOf = (session: Session): string | undefined =>
    session.platformTokenEncrypted
      ? encryption.decrypt(session.platformTokenEncrypted, context(session.tokenHash))
      : undefined;

  const end = async (tokenHash: Buffer): Promise<number> => Session.query(knex).deleteById(tokenHash);

  async function sweep(): Promise<number> {
    return Session.query(knex)
      .where('expires_at', '<', raw('now()'))
      .orWhere((idle) =>
        idle.where({ kind: 'cookie' }).whereRaw(`last_used_at < now() - interval '${IDLE_MINUTES} minutes'`),
      )
      .delete();
  }

  return { create, find, touch, platformTokenOf, end, sweep };
}

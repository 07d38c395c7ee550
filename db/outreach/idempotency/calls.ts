import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { type Database, firstRow, rows } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { type KeptAnswer, keptAnswerSchema, type KnownCall } from '#domain/api/idempotency.ts';

/** Whoever answers says more often than this that it still does. */
export const DEAD_AFTER_MS = 60_000;
const KEPT_MS = 86_400_000;

/** Between a claim that another call hinders and the look at that call, it may have gone. */
const ATTEMPTS = 3;

export interface IdempotentCall {
  tenantId: string;
  /** A platformUserId, or `key:<id>`. */
  caller: string;
  key: string;
  requestHash: string;
}

const claim = `
  insert into idempotent_call (call_id, tenant_id, caller, key_hash, request_hash, begun_at, alive_at, expires_at)
  values (:callId, :tenantId, :caller, :keyHash, :requestHash, :now, :now, :expiresAt)
  on conflict (tenant_id, caller, key_hash) do update
    set call_id = excluded.call_id, request_hash = excluded.request_hash, begun_at = excluded.begun_at,
      alive_at = excluded.alive_at, expires_at = excluded.expires_at, answer_encrypted = null
    where idempotent_call.expires_at <= :now
      or idempotent_call.answer_encrypted is null and idempotent_call.alive_at <= :deadSince
  returning call_id`;

export const openAnswer = (encryption: Encryption, callId: string, sealed: string): KeptAnswer =>
  keptAnswerSchema.parse(JSON.parse(encryption.decrypt(sealed, callId)));

export const sealAnswer = (encryption: Encryption, callId: string, answer: KeptAnswer): string =>
  encryption.encrypt(JSON.stringify(answer), callId);

/** Notes that a call is under way, unless one with its key is or was within the last day and did not die. */
export async function beginCall(
  database: Database,
  encryption: Encryption,
  call: IdempotentCall,
  now: Date,
): Promise<KnownCall> {
  const { tenantId, caller, key, requestHash: asked } = call;
  const by = { tenantId, caller, keyHash: createHash('sha256').update(key).digest('hex') };
  const at = {
    now,
    expiresAt: new Date(now.getTime() + KEPT_MS),
    deadSince: new Date(now.getTime() - DEAD_AFTER_MS),
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const begun = await firstRow<{ callId: string }>(database, claim, {
      callId: uuidv7(),
      requestHash: asked,
      ...by,
      ...at,
    });
    if (begun) return { kind: 'begun', callId: begun.callId };
    const known = await firstRow<{ callId: string; requestHash: string; answerEncrypted: string | null }>(
      database,
      `select call_id, request_hash, answer_encrypted from idempotent_call
       where tenant_id = :tenantId and caller = :caller and key_hash = :keyHash`,
      by,
    );
    if (!known) continue;
    const { callId, requestHash, answerEncrypted } = known;
    if (requestHash !== asked) return { kind: 'reused' };
    if (answerEncrypted === null) break;
    return { kind: 'kept', answer: openAnswer(encryption, callId, answerEncrypted) };
  }
  return { kind: 'under_way' };
}

/** Whoever answers the call still does. */
export async function continueCall(database: Database, tenantId: string, callId: string, now: Date): Promise<void> {
  await rows(
    database,
    `update idempotent_call set alive_at = :now
     where tenant_id = :tenantId and call_id = :callId and answer_encrypted is null`,
    { tenantId, callId, now },
  );
}

/** The call had no effect that is worth keeping: its key can be used again. */
export async function releaseCall(database: Database, tenantId: string, callId: string): Promise<void> {
  await rows(
    database,
    'delete from idempotent_call where tenant_id = :tenantId and call_id = :callId and answer_encrypted is null',
    { tenantId, callId },
  );
}

/** With its application, the tenant loses what it was answered. */
export async function forgetCalls(database: Database, tenantId: string): Promise<void> {
  await rows(database, 'delete from idempotent_call where tenant_id = :tenantId', { tenantId });
}

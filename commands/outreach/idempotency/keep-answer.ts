import { type Database, firstRow, rows } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { erasedSince } from '#db/outreach/erasure/erasures.ts';
import { sealAnswer } from '#db/outreach/idempotency/calls.ts';
import type { KeptAnswer } from '#domain/api/idempotency.ts';
import { mapTexts, UNNAMED } from '#domain/contacts/mentions.ts';

/**
 * Keeps the answer of a call that is under way, without contacts that were erased meanwhile. Nothing is kept where the
 * call was taken for dead and another has its key.
 */
export function keepAnswer(
  database: Database,
  encryption: Encryption,
  { tenantId, callId }: { tenantId: string; callId: string },
  answer: KeptAnswer,
): Promise<void> {
  return database.transaction(async (transaction) => {
    // Locked before erasures are read: one that is not seen here waits for this transaction, and looks through its row.
    const call = await firstRow<{ begunAt: Date }>(
      transaction,
      'select begun_at from idempotent_call where tenant_id = :tenantId and call_id = :callId for update',
      { tenantId, callId },
    );
    if (!call) return;
    const isErased = await erasedSince(transaction, encryption, tenantId, call.begunAt);
    const unnamed = isErased ? changedBody(answer, (text) => (isErased(text) ? UNNAMED : text)) : answer;
    await rows(
      transaction,
      'update idempotent_call set answer_encrypted = :sealed where tenant_id = :tenantId and call_id = :callId',
      { tenantId, callId, sealed: sealAnswer(encryption, callId, unnamed) },
    );
  });
}

function changedBody(answer: KeptAnswer, change: (text: string) => string): KeptAnswer {
  if (answer.body === '') return answer;
  return { ...answer, body: JSON.stringify(mapTexts(JSON.parse(answer.body), change)) };
}

import { type Database, rows } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { openAnswer, sealAnswer } from '#db/outreach/idempotency/calls.ts';
import { UNNAMED, withoutMentions } from '#domain/contacts/mentions.ts';
import type { Erasure } from './erasures.ts';

const ROWS_AT_ONCE = 200;

interface Kept {
  callId: string;
  answerEncrypted: string;
}

const next = `
  select call_id, answer_encrypted from idempotent_call
  where tenant_id = :tenantId and answer_encrypted is not null and call_id > :after
  order by call_id limit ${ROWS_AT_ONCE}`;

/** The sealed answer without the contact; null if it does not name it. */
function unnamed(encryption: Encryption, { callId, answerEncrypted }: Kept, contactId: string): string | null {
  const answer = openAnswer(encryption, callId, answerEncrypted);
  if (!answer.body.includes(JSON.stringify(contactId).slice(1, -1))) return null;
  const body = JSON.stringify(withoutMentions(JSON.parse(answer.body), contactId, UNNAMED));
  return body === answer.body ? null : sealAnswer(encryption, callId, { ...answer, body });
}

/** Answers that are kept for retries name the contact no more. They are sealed: each is opened. */
export async function forgetInAnswers(
  database: Database,
  encryption: Encryption,
  { tenantId, contactId }: Erasure,
): Promise<void> {
  let after = '';
  for (;;) {
    const found = await rows<Kept>(database, next, { tenantId, after });
    for (const kept of found) {
      const sealed = unnamed(encryption, kept, contactId);
      const { callId, answerEncrypted } = kept;
      if (sealed !== null)
        await rows(
          database,
          `update idempotent_call set answer_encrypted = :sealed
           where tenant_id = :tenantId and call_id = :callId and answer_encrypted = :answerEncrypted`,
          { tenantId, callId, answerEncrypted, sealed },
        );
    }
    const last = found.at(-1);
    if (!last || found.length < ROWS_AT_ONCE) return;
    after = last.callId;
  }
}

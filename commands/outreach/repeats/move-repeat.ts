import type { Database } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { RepeatRecord } from '#db/outreach/repeats/repeats.ts';
import { lockRepeat, noteChange, refuse, type RepeatAction, store } from './repeats.ts';

/** What an operator does with a repeat, from which status and to which. */
const moves = {
  pause: { from: ['active'], to: 'paused', verb: 'paused' },
  resume: { from: ['paused'], to: 'active', verb: 'resumed' },
  end: { from: ['active', 'paused'], to: 'ended', verb: 'ended' },
} as const satisfies Partial<Record<RepeatAction, { from: string[]; to: RepeatRecord['status']; verb: string }>>;

/** @throws Problem `not_found`, `invalid_state`, `invalid_content` if it is resumed and has no time left. */
export function moveRepeat(
  database: Database,
  author: Author,
  repeatId: string,
  { action, now }: { action: keyof typeof moves; now: Date },
): Promise<RepeatRecord> {
  const { from, to, verb } = moves[action];
  return database.transaction(async (transaction) => {
    const before = await lockRepeat(transaction, { tenantId: author.tenantId, repeatId });
    if (!from.some((status) => status === before.status)) throw refuse(before.status, verb);
    const startedBy = action === 'resume' ? author.userId : before.startedBy;
    const endReason = to === 'ended' ? 'operator' : null;
    const pauseReason = to === 'paused' ? 'operator' : null;
    const change = { patch: {}, status: to, endReason, pauseReason, startedBy } as const;
    const after = await store(transaction, before, change, now);
    await noteChange(transaction, author, action, { before, after });
    return after;
  });
}

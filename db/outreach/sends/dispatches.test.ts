import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Database } from '../../database.ts';
import { campaignBody, contactId, insertContacts } from '../../../test/support/services/backend.ts';
import { sendCampaign } from './dispatches.ts';
import { useBackend } from '../../../test/support/fixtures/services.ts';

const CONTACTS = 200_000;

/** How many rows PostgreSQL returned to this process while `work` ran. */
async function rowsReturned(database: Database, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const add = (response: { rows?: unknown[] }) => void (count += response.rows?.length ?? 0);
  database.on('query-response', add);
  try {
    await work();
  } finally {
    database.off('query-response', add);
  }
  return count;
}

describe('the snapshot of a large send', () => {
  const backend = useBackend();
  before(async () => {
    await backend.install('t');
    await insertContacts(backend.db, 't', CONTACTS);
  });

  it(`freezes ${CONTACTS} contacts in one transaction, without their ids in this process`, async () => {
    const { db } = backend;
    const token = await backend.token('t');
    const tag = await backend.call('POST', '/tags', {
      token,
      body: { name: 'All', serviceNumberId: 'sn-1', kind: 'permanent' },
    });
    const { tagId } = tag.body;
    await db.raw(
      `insert into tag_assignment (tenant_id, tag_id, contact_id) select tenant_id, ?, contact_id from contact_profile`,
      [tagId],
    );
    await db.raw(`update contact_profile set unsubscribed = true where contact_id in ('c-0000001', 'c-0000777')`);
    const audience = { type: 'app_tags' as const, appTagIds: [tagId], tagOperator: 'OR' as const };
    const created = await backend.call('POST', '/campaigns', { token, body: campaignBody({ audience }) });

    const author = { tenantId: 't', userId: 'u', requestId: null };
    const returned = await rowsReturned(db, () =>
      sendCampaign(db, author, created.body.id, {
        idempotencyKey: null,
        expectedReachableCount: CONTACTS - 2,
        now: new Date(),
      }),
    );
    // At most one row per sub-task, and the few that the decisions need.
    expect(returned).to.be.within(1, 250);

    const dispatch = await db('dispatch').where({ campaign_id: created.body.id }).first();
    const ids = Array.from({ length: CONTACTS }, (_, n) => contactId(n + 1)).filter(
      (id) => id !== contactId(1) && id !== contactId(777),
    );
    expect(dispatch.audienceCount).to.equal(CONTACTS - 2);
    expect(dispatch.audienceHash).to.equal(createHash('sha256').update(ids.join('\n')).digest('hex'));
    expect(dispatch.excluded).to.deep.equal({ expiredTags: 0, unsubscribed: 2, unreachable: 0 });
    const tasks = await db('broadcast_task').where({ dispatch_id: dispatch.dispatchId }).orderBy('chunk');
    const chunks = await db('dispatch_recipient')
      .where({ dispatch_id: dispatch.dispatchId })
      .groupBy('chunk')
      .orderBy('chunk')
      .select('chunk', db.raw('count(*) as contacts'));
    expect(tasks.map(({ chunk, contactCount }) => [chunk, contactCount])).to.deep.equal(
      chunks.map(({ chunk, contacts }: { chunk: number; contacts: number }) => [chunk, contacts]),
    );
    expect(tasks).to.have.length(200);
    expect(new Set(tasks.map(({ key }) => key)).size).to.equal(200);
    expect(tasks.at(-1)?.contactCount).to.equal(998);
  });
});

import { expect } from 'chai';
import { campaignBody, contactId, insertContacts } from '#test/support/services/backend.ts';
import { useBackend } from '#test/support/fixtures/services.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { CONTACTS_PER_PAGE } from '#db/outreach/sends/freezing.ts';
import { freezeNextPage, freezePage } from './freeze-page.ts';

const CONTACTS = 41_500;

/** How many rows PostgreSQL returned to this process while `work` ran. */
async function rowsReturned<Result>(database: Database, work: () => Promise<Result>) {
  let count = 0;
  const add = (response: { rows?: unknown[] }) => void (count += response.rows?.length ?? 0);
  database.on('query-response', add);
  try {
    const result = await work();
    return { result, rows: count };
  } finally {
    database.off('query-response', add);
  }
}

describe('the snapshot of a large send', () => {
  const backend = useBackend();
  let token: string;
  let tagId: string;
  before(async () => {
    const { db } = backend;
    await backend.install('t');
    await insertContacts(db, 't', CONTACTS);
    token = await backend.token('t');
    const body = { name: 'All', serviceNumberId: 'sn-1', kind: 'permanent' };
    ({ tagId } = (await backend.call('POST', '/tags', { token, body })).body);
    await db.raw(
      `insert into tag_assignment (tenant_id, tag_id, contact_id) select tenant_id, ?, contact_id from contact_profile`,
      [tagId],
    );
    await db('tag').where({ tagId }).update({ contactCount: CONTACTS });
    await db.raw(`update contact_profile set unsubscribed = true where contact_id in (?, ?)`, [
      contactId(1),
      contactId(30_000),
    ]);
  });
  // One lasts five minutes.
  beforeEach(async () => (token = await backend.token('t')));
  afterEach(() =>
    backend.db('contact_profile').where({ followState: 'unfollowed' }).update({ followState: 'following' }),
  );

  const call = async (method: string, path: string, body?: unknown) => {
    const response = await backend.call(method, path, { token, ...(body === undefined ? {} : { body }) });
    expect(response.status, JSON.stringify(response.body)).to.be.lessThan(300);
    return response.body;
  };
  const draft = async (): Promise<string> => {
    const audience = { type: 'app_tags' as const, appTagIds: [tagId], tagOperator: 'OR' as const };
    return (await call('POST', '/campaigns', campaignBody({ audience }))).id;
  };
  const dispatchOf = (campaignId: string) =>
    backend.db('dispatch').where({ campaignId }).orderBy('number', 'desc').first();
  const nextPage = async (id: string) => {
    const { dispatchId } = await dispatchOf(id);
    return freezeNextPage(backend.db, { tenantId: 't', dispatchId }, new Date());
  };
  /** What the progress says, whose parts add up. */
  const look = async (id: string) => {
    const { audienceCount, preparing, subTasks, status } = await call('GET', `/campaigns/${id}/progress`);
    const inSubTasks = Object.values(subTasks as Record<string, { contacts: number }>);
    const sum = inSubTasks.reduce((total, { contacts }) => total + contacts, preparing.contacts);
    expect(sum, 'preparing and sub-tasks').to.equal(audienceCount);
    return { audienceCount, preparing: preparing.contacts, status };
  };
  const recipients = async (dispatchId: string) =>
    (await backend.db('dispatch_recipient').where({ dispatchId }).orderBy('contactId')).map((row) => row.contactId);

  it('A13: :send stores no contact of a large audience; the rest follows in pages, each contact once', async () => {
    const id = await draft();
    await call('POST', `/campaigns/${id}:dry-run`);
    await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: CONTACTS - 2 });
    const { dispatchId } = await dispatchOf(id);
    expect(await recipients(dispatchId)).to.deep.equal([]);
    expect(await look(id)).to.deep.equal({ audienceCount: CONTACTS - 2, preparing: CONTACTS - 2, status: 'sending' });

    const left: number[] = [];
    for (let complete = false; !complete; left.push((await look(id)).preparing)) {
      const page = await rowsReturned(backend.db, () => nextPage(id));
      expect(page.rows, 'rows that entered this process').to.be.within(1, 60);
      complete = page.result;
    }
    expect(left).to.deep.equal([22_498, 2498, 0]);

    const reached = Array.from({ length: CONTACTS }, (_, n) => contactId(n + 1)).filter(
      (one) => one !== contactId(1) && one !== contactId(30_000),
    );
    expect(await recipients(dispatchId)).to.deep.equal(reached);
    const tasks = await backend.db('broadcast_task').where({ dispatchId }).orderBy('chunk');
    expect(tasks.map(({ contactCount }) => contactCount)).to.deep.equal([...Array(41).fill(1000), 498]);
    const chunks = await backend
      .db('dispatch_recipient')
      .where({ dispatchId })
      .groupBy('chunk')
      .orderBy('chunk')
      .select('chunk', backend.db.raw('count(*) as contacts'));
    expect(chunks.map((row) => [row.chunk, row.contacts])).to.deep.equal(
      tasks.map(({ chunk, contactCount }) => [chunk, contactCount]),
    );
    const dispatch = await dispatchOf(id);
    expect(dispatch.excluded).to.deep.equal({ expiredTags: 0, unsubscribed: 2, unreachable: 0, controlGroup: 0 });
    // The dry run took all contacts at once, and found the same.
    const run = await backend.db('dry_run').where({ campaignId: id }).first();
    expect(dispatch.audienceHash)
      .to.match(/^[0-9a-f]{64}$/)
      .and.to.equal(run.audienceHash);
    expect((await call('GET', `/campaigns/${id}/audience-drift`)).reasons).to.deep.equal([]);
  });

  it('A13: no page reads more than its own contacts, whichever page it is', async () => {
    const id = await draft();
    await call('POST', `/campaigns/${id}:send`);
    await nextPage(id);
    // As autovacuum may have done.
    await backend.database.connect('outreach', 'owner').raw('vacuum analyze tag_assignment, contact_profile');
    const { dispatchId } = await dispatchOf(id);
    const tables = ['tag_assignment', 'contact_profile', 'dispatch_chunk', 'broadcast_task'];
    const read = await rowsRead(backend.db, tables, (transaction) =>
      freezePage(transaction, { tenantId: 't', dispatchId }, new Date()),
    );
    expect(read.scanned).to.equal(0);
    // An assignment and a profile each, twice: to see how many profiles there are, and to read them.
    expect(read.fetched).to.be.within(CONTACTS_PER_PAGE, 4 * CONTACTS_PER_PAGE + 1000);
    await call('POST', `/campaigns/${id}:cancel`);
  });

  it('A13: a page stores one list and one sub-task for each 1,000 contacts, by as many statements as any other', async () => {
    const id = await draft();
    await call('POST', `/campaigns/${id}:send`);
    const key = { tenantId: 't', dispatchId: (await dispatchOf(id)).dispatchId };
    const writes = async (transaction: Transaction) => {
      const row = await firstRow<{ written: number }>(
        transaction,
        `select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int as written from pg_stat_xact_user_tables
         where schemaname = 'outreach'`,
        {},
      );
      return row?.written ?? NaN;
    };
    const page = () =>
      backend.db.transaction(async (transaction) => {
        let statements = 0;
        const add = () => void (statements += 1);
        const before = await writes(transaction);
        transaction.on('query', add);
        await freezePage(transaction, key, new Date());
        transaction.off('query', add);
        return { statements, written: (await writes(transaction)) - before };
      });
    const first = await page();
    const second = await page();
    // 20 lists and 20 sub-tasks, the list that the page before had begun, and the send.
    expect(first.written).to.be.within(40, 42);
    expect(second.written).to.be.within(40, 42);
    expect(first.statements).to.be.at.most(16);
    expect(second.statements).to.be.at.most(first.statements);
    await call('POST', `/campaigns/${id}:cancel`);
  });

  it('A13: records the drift of each page against the dry run', async () => {
    const id = await draft();
    await call('POST', `/campaigns/${id}:dry-run`);
    const gone = [contactId(2), contactId(25_000), contactId(41_500)];
    await backend.db('contact_profile').whereIn('contactId', gone).update({ followState: 'unfollowed' });
    await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: CONTACTS - 5 });
    while (!(await nextPage(id)));
    const drift = await call('GET', `/campaigns/${id}/audience-drift`);
    expect(drift.removed.map((one: { contactId: string }) => one.contactId)).to.deep.equal(gone);
    expect(drift.addedCount).to.equal(0);
    expect(await look(id)).to.deep.equal({ audienceCount: CONTACTS - 5, preparing: 0, status: 'sending' });
  });

  it('A13: figures add up while people come and go during the preparation', async () => {
    const id = await draft();
    await backend
      .db('contact_profile')
      .where('contactId', '>', contactId(30_000))
      .update({ followState: 'unfollowed' });
    await call('POST', `/campaigns/${id}:send`);
    expect((await look(id)).audienceCount).to.equal(29_998);
    await nextPage(id);
    await backend.db('contact_profile').where({ followState: 'unfollowed' }).update({ followState: 'following' });
    await look(id);
    let complete = false;
    while (!complete) {
      complete = await nextPage(id);
      await look(id);
    }
    expect(await look(id)).to.deep.equal({ audienceCount: CONTACTS - 2, preparing: 0, status: 'sending' });
  });

  it('A13: cancelling counts those that are not prepared as cancelled, and nobody is added afterwards', async () => {
    for (const action of ['cancel', 'close']) {
      const id = await draft();
      await call('POST', `/campaigns/${id}:send`);
      await nextPage(id);
      const actions = await call('GET', `/campaigns/${id}/actions`);
      expect(actions).to.deep.include({ pause: CONTACTS - 2, cancel: CONTACTS - 2, close: CONTACTS - 2 });
      await call('POST', `/campaigns/${id}:${action}`);
      const { subTasks, audienceCount } = await call('GET', `/campaigns/${id}/progress`);
      expect(subTasks).to.deep.equal({ cancelled: { tasks: 42, contacts: CONTACTS - 2 } });
      expect(audienceCount).to.equal(CONTACTS - 2);
      const { dispatchId } = await dispatchOf(id);
      const before = (await recipients(dispatchId)).length;
      expect(await nextPage(id)).to.equal(true);
      expect((await recipients(dispatchId)).length).to.equal(before);
    }
  });

  it('A13: a campaign whose audience has vanished while it was prepared fails', async () => {
    const id = await draft();
    await call('POST', `/campaigns/${id}:send`);
    await backend.db('contact_profile').update({ followState: 'unfollowed' });
    while (!(await nextPage(id)));
    expect(await look(id)).to.deep.equal({ audienceCount: 0, preparing: 0, status: 'failed' });
  });

  it('A13: the count that the operator saw and an empty audience are checked before anything is stored', async () => {
    const id = await draft();
    const send = (body: object) => backend.call('POST', `/campaigns/${id}:send`, { token, body });
    const changed = await send({ expectedReachableCount: 5 });
    expect([changed.status, changed.body.code]).to.deep.equal([409, 'audience_changed']);
    await backend.db('contact_profile').update({ followState: 'unfollowed' });
    const empty = await send({});
    expect([empty.status, empty.body.code]).to.deep.equal([409, 'audience_empty']);
    expect(await dispatchOf(id)).to.equal(undefined);
  });

  it('A13: above 1,000,000 the counts of the last preview are compared', async () => {
    const { db } = backend;
    await db('tag').where({ tagId }).update({ contactCount: 3_000_000 });
    try {
      const id = await draft();
      const { audience } = campaignBody({
        audience: { type: 'app_tags', appTagIds: [tagId], tagOperator: 'OR' },
      });
      const send = (body: object) => backend.call('POST', `/campaigns/${id}:send`, { token, body });
      const unseen = await send({ expectedReachableCount: CONTACTS - 2 });
      expect([unseen.status, unseen.body.code]).to.deep.equal([409, 'audience_changed']);
      const preview = await call('POST', '/audiences:preview', { serviceNumberId: 'sn-1', audience });
      await db('contact_profile')
        .where({ contactId: contactId(2) })
        .update({ followState: 'unfollowed' });
      const stale = await send({ expectedReachableCount: preview.reachableCount - 1 });
      expect([stale.status, stale.body.code]).to.deep.equal([409, 'audience_changed']);
      const sent = await send({ expectedReachableCount: preview.reachableCount });
      expect([sent.status, sent.body.audienceCount]).to.deep.equal([202, CONTACTS - 2]);
      while (!(await nextPage(id)));
      expect((await look(id)).audienceCount).to.equal(CONTACTS - 3);
    } finally {
      await db('tag').where({ tagId }).update({ contactCount: CONTACTS });
    }
  });

  it('A13: counts and prepares an audience that the stored counts take for small', async () => {
    const { db } = backend;
    await db('tag').where({ tagId }).update({ contactCount: 10 });
    try {
      const id = await draft();
      await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: CONTACTS - 2 });
      expect((await look(id)).audienceCount).to.equal(CONTACTS - 2);
      while (!(await nextPage(id)));
      expect((await recipients((await dispatchOf(id)).dispatchId)).length).to.equal(CONTACTS - 2);
    } finally {
      await db('tag').where({ tagId }).update({ contactCount: CONTACTS });
    }
  });

  it('A13: a retry of many sub-tasks takes their contacts over in pages', async () => {
    const id = await draft();
    await call('POST', `/campaigns/${id}:send`);
    while (!(await nextPage(id)));
    const first = await dispatchOf(id);
    const rejected = await backend.db('broadcast_task').where({ dispatchId: first.dispatchId }).where('chunk', '>', 10);
    await backend
      .db('broadcast_task')
      .where({ dispatchId: first.dispatchId })
      .update({ status: 'completed', sent: 1000 });
    await backend
      .db('broadcast_task')
      .whereIn(
        'key',
        rejected.map(({ key }) => key),
      )
      .update({ status: 'rejected' });
    await backend.db('campaign').where({ campaignId: id }).update({ status: 'partially_failed' });
    await call('POST', `/campaigns/${id}:retry-failed`);
    const retry = await dispatchOf(id);
    expect([retry.retryOf, retry.audienceCount]).to.deep.equal([first.dispatchId, 30_498]);
    expect((await look(id)).preparing).to.equal(30_498);
    let complete = false;
    while (!complete) {
      complete = await nextPage(id);
      await look(id);
    }
    const again = await recipients(retry.dispatchId);
    expect(again).to.deep.equal((await recipients(first.dispatchId)).slice(11_000));
    const tasks = await backend.db('broadcast_task').where({ dispatchId: retry.dispatchId });
    expect(tasks.every(({ contactCount }) => contactCount <= 1000)).to.equal(true);
    expect(tasks.reduce((sum, { contactCount }) => sum + contactCount, 0)).to.equal(30_498);
  });
});

import { expect } from 'chai';
import { drawnArm, isDrawn, keyOf } from '#test/support/outreach/control-group.ts';
import { against } from '#test/support/outreach/variant-sends.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { contactId } from '#test/support/services/backend.ts';
import { CONTACTS_PER_PAGE } from '../freezing.ts';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';

const CONTACTS = CONTACTS_PER_PAGE + 2500;

interface Task {
  chunk: number;
  arm: number;
  variant: number | null;
  status: string;
  contactCount: number;
  contactIds: string[] | null;
}

describe('an audience that is divided among variants', () => {
  const backend = useTwoTenants({ contacts: CONTACTS });

  const ids = (count: number) => Array.from({ length: count }, (_, n) => contactId(n + 1));
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await backend.call(method, path, { body, headers: { 'If-Match': '*' } });
    expect(response.status, JSON.stringify(response.body)).to.be.below(300);
    return response.body;
  };
  const draft = (contactIds: string[], more: object = {}) =>
    backend.draft({ audience: { type: 'contacts', contactIds }, variants: against([20, 30]), ...more });
  const tasksOf = async (campaignId: string): Promise<Task[]> => {
    const found = await backend.db.raw(
      `select t.chunk, t.arm, t.variant, t.status, t.contact_count, c.contact_ids from broadcast_task t
       left join dispatch_chunk c using (dispatch_id, chunk) where t.campaign_id = ? order by t.dispatch_id, t.chunk`,
      [campaignId],
    );
    return found.rows;
  };
  const byArm = (tasks: Task[], arm: number) =>
    tasks.flatMap((task) => (task.arm === arm ? (task.contactIds ?? []) : [])).toSorted();
  const drawn = async (campaignId: string, contacts: string[], arm: number) => {
    const key = await keyOf(backend.db, campaignId);
    return contacts.filter((one) => drawnArm(key, [20, 30], one) === arm);
  };
  /** Every sub-task but the last of each arm is full, and has the contacts that it says it has. */
  function expectFull(tasks: Task[]): void {
    for (const arm of [0, 1, 5]) {
      const own = tasks.filter((task) => task.arm === arm);
      expect(own.map(({ contactIds }) => contactIds?.length)).to.deep.equal(own.map((task) => task.contactCount));
      expect(own.slice(0, -1).map((task) => task.contactCount)).to.deep.equal(own.slice(0, -1).map(() => 1000));
      expect(own.map(({ variant }) => variant)).to.deep.equal(own.map(() => (arm === 5 ? null : arm)));
    }
  }

  it('is drawn by HMAC-SHA-256 with its key, each contact once, and a rehearsal draws the same', async () => {
    const everyone = ids(6000);
    const id = await draft(everyone);
    const run = await call('POST', `/campaigns/${id}:dry-run`);
    const sent = await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: 6000 });
    const tasks = await tasksOf(id);
    for (const arm of [0, 1, 5]) expect(byArm(tasks, arm)).to.deep.equal(await drawn(id, everyone, arm));
    expect([0, 1, 5].flatMap((arm) => byArm(tasks, arm)).toSorted()).to.deep.equal(everyone);
    expect(byArm(tasks, 0).length).to.be.within(1050, 1350);
    expect(byArm(tasks, 1).length).to.be.within(1650, 1950);
    expectFull(tasks);
    expect(sent.audienceCount).to.equal(6000);
    expect(run.variants).to.deep.equal([
      { name: 'A', contactCount: byArm(tasks, 0).length },
      { name: 'B', contactCount: byArm(tasks, 1).length },
    ]);
    expect(run.requests.map((one: { messages: [{ title?: string }] }) => one.messages[0].title)).to.deep.equal([
      'Spring',
      'B',
    ]);
    expect(run.requests[1].audience.contactIds).to.deep.equal(tasks.find(({ arm }) => arm === 1)?.contactIds);
    const rehearsed = await backend.db('dry_run').where({ campaign_id: id }).first();
    const dispatch = await backend.db('dispatch').where({ campaign_id: id }).first();
    expect(dispatch.audienceHash).to.equal(rehearsed.audienceHash);
    expect((await call('GET', `/campaigns/${id}/audience-drift`)).reasons).to.deep.equal([]);
  });

  it('is drawn anew for a copy, and independently of a control group', async () => {
    const everyone = ids(4000);
    const id = await draft(everyone, { holdoutPercent: 25 });
    await call('POST', `/campaigns/${id}:send`);
    const key = await keyOf(backend.db, id);
    const sentTo = everyone.filter((one) => !isDrawn(key, 25, one));
    const tasks = await tasksOf(id);
    for (const arm of [0, 1, 5]) expect(byArm(tasks, arm)).to.deep.equal(await drawn(id, sentTo, arm));
    expect(byArm(tasks, 0).length).to.be.within(500, 700);
    const copy = await call('POST', `/campaigns/${id}:duplicate`);
    expect(copy.variants).to.deep.equal(against([20, 30]));
    await call('POST', `/campaigns/${copy.id}:send`);
    expect(byArm(await tasksOf(copy.id), 0)).not.to.deep.equal(byArm(tasks, 0));
  });

  it('is frozen page by page, in full sub-tasks of each arm, and counted while it is', async () => {
    const everyone = ids(CONTACTS);
    const id = await draft(everyone);
    await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: CONTACTS });
    const { dispatchId } = await backend.db('dispatch').where({ campaign_id: id }).first();
    const key = { tenantId: 'a', dispatchId };
    expect(await freezeNextPage(backend.db, key, new Date())).to.equal(false);
    const half = await call('GET', `/campaigns/${id}/progress`);
    const inTasks = (await tasksOf(id)).reduce((sum, { contactCount }) => sum + contactCount, 0);
    expect(inTasks).to.be.within(18_000, 20_000);
    expect([half.preparing.contacts, half.outcomes.notYet]).to.deep.equal([CONTACTS - inTasks, CONTACTS]);
    expect(await freezeNextPage(backend.db, key, new Date())).to.equal(true);
    const tasks = await tasksOf(id);
    for (const arm of [0, 1, 5]) expect(byArm(tasks, arm)).to.deep.equal(await drawn(id, everyone, arm));
    expectFull(tasks);
    expect((await call('GET', `/campaigns/${id}/progress`)).preparing.contacts).to.equal(0);
  });

  it('counts all of it as cancelled where that comes before it is read', async () => {
    const id = await draft(ids(CONTACTS));
    await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: CONTACTS });
    const { dispatchId } = await backend.db('dispatch').where({ campaign_id: id }).first();
    await freezeNextPage(backend.db, { tenantId: 'a', dispatchId }, new Date());
    await call('POST', `/campaigns/${id}:cancel`);
    const progress = await call('GET', `/campaigns/${id}/progress`);
    expect(progress).to.deep.include({ status: 'cancelled', audienceCount: CONTACTS });
    expect(progress.outcomes.cancelled).to.equal(CONTACTS);
    const test = await call('GET', `/campaigns/${id}/variants`);
    const contacts = [...test.variants, test.rest].map((part: { contacts: number }) => part.contacts);
    expect(contacts.reduce((sum, count) => sum + count, 0)).to.equal(CONTACTS);
    expect([test.state, test.mayChoose]).to.deep.equal(['ended', false]);
  });

  it('keeps its arms in a retry of many sub-tasks, however many pages it takes', async () => {
    const everyone = ids(CONTACTS);
    const id = await draft(everyone, { pace: { perMinute: 500 } });
    await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: CONTACTS });
    const { dispatchId } = await backend.db('dispatch').where({ campaign_id: id }).first();
    for (let complete = false; !complete;)
      complete = await freezeNextPage(backend.db, { tenantId: 'a', dispatchId }, new Date());
    await backend.db('broadcast_task').where({ campaign_id: id }).whereIn('arm', [0, 1]).update({ status: 'rejected' });
    await call('POST', `/campaigns/${id}:retry-failed`);
    const retry = await backend.db('dispatch').where({ campaign_id: id, number: 2 }).first();
    for (let complete = false; !complete;)
      complete = await freezeNextPage(backend.db, { tenantId: 'a', dispatchId: retry.dispatchId }, new Date());
    const again = await backend
      .db('broadcast_task as t')
      .join('dispatch_chunk as c', (on) => void on.on('c.dispatch_id', 't.dispatch_id').on('c.chunk', 't.chunk'))
      .where({ 't.dispatch_id': retry.dispatchId });
    const inArm = (arm: number) =>
      again.filter((task) => task.arm === arm).flatMap((task) => task.contactIds as string[]);
    for (const arm of [0, 1]) expect(inArm(arm).toSorted()).to.deep.equal(await drawn(id, everyone, arm));
    expect(inArm(5)).to.deep.equal([]);
    expect(new Set(again.map(({ arm, variant }) => `${arm} ${variant}`))).to.deep.equal(new Set(['0 0', '1 1']));
  });
});

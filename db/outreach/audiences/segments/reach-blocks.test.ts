import { expect } from 'chai';
import { createSweepActivities } from '#activities/outreach/sweep.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant, type TestSend } from '#test/support/outreach/rows.ts';
import { planRows } from '#test/support/servers/plan-rows.ts';
import { testDeps, testEncryption } from '#test/support/services/outreach-flows.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { rows } from '#db/database.ts';
import { countAudience } from '../counts.ts';
import { buildReach, sendsWithoutReach } from './reach-blocks.ts';

const serviceNumberId = 'sn-1';

describe('the set of contacts that a large send reached', () => {
  const test = useTestDatabase();
  const db = useDatabase('outreach', { on: test });
  const now = new Date();
  const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

  /** A send of which each contact is known, and which is over. */
  async function seedReached({ chunks = [1000, 1000], profiles = true } = {}): Promise<TestSend> {
    const { tenantId } = await seedTenant(db, testEncryption);
    const send = await seedSend(db, tenantId, { chunks, status: 'completed' });
    if (profiles)
      await rows(
        db,
        `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
         select :tenantId, 'sn-1', contact_id, 'following', :now from dispatch_recipient where dispatch_id = :dispatchId`,
        { ...send, now },
      );
    await change(send, 0, { status: 'completed', delivered: 1000, finished_at: now, task_id: 'one' });
    await change(send, 1, { status: 'completed', delivered: 1000, finished_at: later(1), task_id: 'two' });
    return send;
  }
  const change = (send: TestSend, chunk: number, values: object, on = db) =>
    on('broadcast_task').where({ dispatch_id: send.dispatchId, chunk }).update(values);
  const reachOf = (send: TestSend) => db('dispatch_reach').where({ dispatch_id: send.dispatchId }).first();
  const isBuilt = async (send: TestSend): Promise<boolean> => (await reachOf(send)).builtAt !== null;
  const due = async (send: TestSend, at: Date) =>
    (await sendsWithoutReach(db, { now: at, limit: 1000 })).includes(send.dispatchId);
  const segmentOf = (reached: { campaignIds: string[] } | { lastDays: number }) => ({
    kind: 'segment' as const,
    segment: { reached },
  });
  const countOf = async (send: TestSend, reached: { campaignIds: string[] } | { lastDays: number }, at = now) => {
    const owner = { tenantId: send.tenantId, serviceNumberId };
    const count = () => db.transaction((transaction) => countAudience(transaction, owner, segmentOf(reached), at));
    return (await count()).hitCount;
  };

  it('is noted once the audience is frozen, of a send of 2,000 contacts or more', async () => {
    expect(await reachOf(await seedReached())).to.include({ serviceNumberId, builtAt: null });
    expect(await reachOf(await seedReached({ chunks: [1000, 999] }))).to.equal(undefined);
  });

  it('is built by the sweep, and read instead of the lists', async () => {
    const send = await seedReached();
    const owner = { tenantId: send.tenantId, serviceNumberId };
    const source = segmentOf({ campaignIds: [send.campaignId] });
    const listsRead = () =>
      planRows(db, 'dispatch_chunk', (transaction) => countAudience(transaction, owner, source, now));
    expect(await listsRead()).to.equal(2);
    const deps = testDeps(db, 'http://127.0.0.1:1', { now: () => later(1) });
    await createSweepActivities(deps).sweepOutreachRows();
    await deps.close();
    expect(await isBuilt(send)).to.equal(true);
    expect(await listsRead()).to.equal(0);
    expect(await countOf(send, { campaignIds: [send.campaignId] })).to.equal(2000);
    expect(await countOf(send, { lastDays: 1 }, later(2))).to.equal(2000);
    expect(await countOf(send, { lastDays: 1 }, later(24 * 60 + 0.5)), 'the second sub-task').to.equal(1000);
    expect(await countOf(send, { lastDays: 1 }, later(24 * 60 + 2))).to.equal(0);
  });

  it('is not built while something of the send is under way, and is where a sub-task stays unknown', async () => {
    const send = await seedReached();
    for (const status of ['pending', 'submitting', 'scheduled', 'sending']) {
      await change(send, 1, { status });
      expect(await due(send, later(1)), status).to.equal(false);
    }
    await change(send, 1, { status: 'unknown' });
    expect(await due(send, later(1))).to.equal(true);
    expect(await buildReach(db, send.dispatchId, later(1))).to.equal(true);
    expect(await countOf(send, { campaignIds: [send.campaignId] })).to.equal(1000);
  });

  it('is gone with what was delivered, stays with anything else, and is built again after five minutes', async () => {
    const send = await seedReached();
    const changes: [values: object, stays: boolean][] = [
      [{ sent: 1000, read: 5, delivered: 900, next_poll_at: now, error_code: 'x' }, true],
      [{ finished_at: later(2) }, false],
      [{ delivered: 0 }, false],
      [{ delivered: 0, finished_at: later(3) }, true],
      [{ delivered: null }, false],
      [{ superseded_by: send.dispatchId }, false],
      [{ superseded_by: null }, false],
      [{ status: 'failed' }, false],
      [{ status: 'completed' }, false],
    ];
    let at = 1;
    for (const [values, stays] of changes) {
      expect(await buildReach(db, send.dispatchId, later(at))).to.equal(true);
      await change(send, 1, values);
      expect(await isBuilt(send), JSON.stringify(values)).to.equal(stays);
      if (stays) await db('dispatch_reach').where({ dispatch_id: send.dispatchId }).update({ built_at: null });
      expect(await due(send, later(at + 4))).to.equal(false);
      expect(await due(send, later(at + 5))).to.equal(true);
      at += 5;
    }
  });

  it('is not built beside a sub-task that changes, which keeps nobody waiting', async () => {
    const send = await seedReached();
    await db.transaction(async (transaction) => {
      await change(send, 0, { delivered: 0 }, transaction);
      expect(await buildReach(db, send.dispatchId, later(1))).to.equal(false);
    });
    expect(await isBuilt(send)).to.equal(false);
    expect(await buildReach(db, send.dispatchId, later(1))).to.equal(true);
    expect(await countOf(send, { campaignIds: [send.campaignId] })).to.equal(1000);
  });

  it('is gone with a sub-task that changes while it is being built', async () => {
    const send = await seedReached();
    let changing: PromiseLike<unknown> | undefined;
    await db.transaction(async (transaction) => {
      expect(await buildReach(transaction, send.dispatchId, later(1))).to.equal(true);
      expect(await buildReach(db, send.dispatchId, later(1)), 'by another process').to.equal(false);
      changing = change(send, 0, { delivered: 0 }).then((changed) => changed);
      const waits = `select from pg_locks where not granted
        and pid in (select pid from pg_stat_activity where datname = current_database())`;
      await eventually('the change waits', async () => (await rows(db, waits, {})).length > 0);
    });
    await changing;
    expect(await isBuilt(send)).to.equal(false);
    expect(await countOf(send, { campaignIds: [send.campaignId] })).to.equal(1000);
  });

  it('is not built as long as somebody in it has no profile, and so no bit', async () => {
    const send = await seedReached({ profiles: false });
    expect(await buildReach(db, send.dispatchId, later(1))).to.equal(false);
    expect(await isBuilt(send)).to.equal(false);
    expect(await due(send, later(10))).to.equal(false);
    expect(await due(send, later(11))).to.equal(true);
  });
});

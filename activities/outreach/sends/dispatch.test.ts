import { expect } from 'chai';
import { rows } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { testDeps, testEncryption } from '#test/support/services/outreach-flows.ts';
import { readCampaign, readTasks } from '#test/support/outreach/rows.ts';
import { firstPostback, type PlatformReply } from '#test/support/doubles/recording-platform.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';
import { createOutreachActivities } from '../index.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';

describe('submitting sub-tasks', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;

  beforeEach(async () => {
    site = await openSendingSite(database);
  });
  afterEach(() => site.close());

  const setTask = (key: string, assignment: string) =>
    rows(database, `update broadcast_task set ${assignment} where key = :key`, { key });

  it('submits each sub-task once, with its contacts, key and Postback data', async () => {
    const send = await site.seedSend({ chunks: [3, 2] });
    expect(await site.submit(send)).to.deep.equal({ waitUntil: null });
    const calls = site.platform.of('A1');
    expect(calls).to.have.length(2);
    for (const [index, key] of send.keys.entries()) {
      const call = calls.find(({ headers }) => headers['idempotency-key'] === key);
      expect(call?.body['audience']).to.deep.equal({
        type: 'contacts',
        contactIds: Array.from({ length: index === 0 ? 3 : 2 }, (_, n) => `c${index}-${n + 1}`),
      });
      expect(call?.body['schedule']).to.deep.equal({ type: 'immediate' });
      expect(firstPostback(call)).to.include({
        appId: 'outreach',
        campaignId: send.campaignId,
        subTaskKey: key,
      });
    }
    const tasks = await readTasks(database, send);
    expect(tasks.map(({ status, taskId }) => ({ status, taskId }))).to.deep.equal(
      send.keys.map((key) => ({ status: 'sending', taskId: `task-${key}` })),
    );
    expect(await site.submit(send)).to.deep.equal({ waitUntil: null });
    expect(site.platform.of('A1')).to.have.length(2);
  });

  it('submits once even if two attempts run concurrently', async () => {
    const send = await site.seedSend({ chunks: Array.from({ length: 30 }, () => 1) });
    await Promise.all([site.submit(send), site.submit(send), site.submit(send)]);
    expect(site.platform.of('A1')).to.have.length(30);
    expect(new Set(site.platform.of('A1').map(({ headers }) => headers['idempotency-key'])).size).to.equal(30);
  });

  it('retries what was certainly not done, after Retry-After', async () => {
    site.platform.behave(({ earlier }) => {
      if (earlier === 0) return { status: 429, headers: { 'Retry-After': '0.05' } };
      return earlier === 1 ? { status: 503, body: { code: 'busy' }, headers: { 'Retry-After': '0.05' } } : null;
    });
    const send = await site.seedSend({ chunks: [1] });
    await site.submit(send);
    expect((await readTasks(database, send))[0]).to.include({ status: 'sending', attempts: 3 });
  });

  it('uses its own delay if Retry-After is not in the future', async () => {
    for (const header of ['0', new Date(Date.now() - 5000).toUTCString()]) {
      site.platform.behave(({ earlier }) =>
        earlier === 0 ? { status: 429, headers: { 'Retry-After': header } } : null,
      );
      const send = await site.seedSend({ chunks: [1] });
      const key = send.keys[0] ?? '';
      await setTask(key, 'attempts = 6');
      const { waitUntil } = await site.submit(send);
      expect(Date.parse(waitUntil ?? ''), header).to.be.greaterThan(Date.now() + 5000);
      await setTask(key, "next_attempt_at = now() - interval '1 second'");
      await site.submit(send);
      expect((await readTasks(database, send))[0], header).to.include({ status: 'sending', attempts: 8 });
    }
  });

  it('never retries what may have been done', async () => {
    const send = await site.seedSend({ chunks: [1, 1, 1] });
    const replies = new Map<string, PlatformReply>([
      [send.keys[0] ?? '', 'reset'],
      [send.keys[1] ?? '', { status: 502 }],
    ]);
    site.platform.behave(({ headers }) => replies.get(String(headers['idempotency-key'])) ?? null);
    expect(await site.submit(send)).to.deep.equal({ waitUntil: null });
    await site.submit(send);
    expect(site.platform.of('A1')).to.have.length(3);
    const statuses = (await readTasks(database, send)).map(({ status }) => status);
    expect(statuses).to.deep.equal(['unknown', 'unknown', 'sending']);
    expect((await readCampaign(database, send)).status).to.equal('sending');
  });

  it('keeps what could not be reached pending, and continues when it can', async () => {
    const unreachable = testDeps(database, 'http://127.0.0.1:1');
    const send = await site.seedSend({ chunks: [1] });
    const key = send.keys[0] ?? '';
    await setTask(key, 'attempts = 6');
    const range = { tenantId: send.tenantId, dispatchId: send.dispatchId, from: 0, to: 9 };
    const result = await site.run(() => createOutreachActivities(unreachable).submitBroadcasts(range));
    expect(Date.parse(result.waitUntil ?? '')).to.be.greaterThan(Date.now() + 5000);
    expect((await readTasks(database, send))[0]).to.include({ status: 'pending', errorCode: 'not_reached' });
    await setTask(key, "next_attempt_at = now() - interval '1 second'");
    await site.submit(send);
    expect((await readTasks(database, send))[0]?.status).to.equal('sending');
    await unreachable.close();
  });

  for (const [when, readable] of [
    ['at all', 0],
    ['again after a 401', 1],
  ] as const) {
    it(`keeps what could not be signed pending: the secret cannot be read ${when}`, async () => {
      let reads = 0;
      const decrypt: Encryption['decrypt'] = (...sealed) => {
        reads += 1;
        if (reads > readable) throw new Error('sealed with another key');
        return testEncryption.decrypt(...sealed);
      };
      const unreadable = testDeps(database, site.platform.baseUrl, { encryption: { ...testEncryption, decrypt } });
      site.platform.behave(({ earlier }) => (earlier < readable ? { status: 401 } : null));
      const send = await site.seedSend({ chunks: [1] });
      const range = { tenantId: send.tenantId, dispatchId: send.dispatchId, from: 0, to: 9 };
      const failed = await site
        .run(() => createOutreachActivities(unreadable).submitBroadcasts(range))
        .catch((error: unknown) => error);
      expect(failed).to.have.nested.property('cause.message', 'sealed with another key');
      expect((await readTasks(database, send))[0]).to.include({ status: 'pending', errorCode: 'internal' });
      await site.submit(send);
      expect((await readTasks(database, send))[0]?.status).to.equal('sending');
      expect(site.platform.of('A1')).to.have.length(readable + 1);
      await unreadable.close();
    });
  }

  it('rejects what the platform rejects, and fails the campaign if it has nothing else', async () => {
    site.platform.behave(() => ({ status: 422, body: { code: 'invalid_postback', message: 'no' } }));
    const send = await site.seedSend({ chunks: [1, 1] });
    await site.submit(send);
    const tasks = await readTasks(database, send);
    expect(tasks.map(({ status, errorCode }) => [status, errorCode])).to.deep.equal([
      ['rejected', 'invalid_postback'],
      ['rejected', 'invalid_postback'],
    ]);
    expect((await readCampaign(database, send)).status).to.equal('failed');
  });

  it('stores a refusal whatever characters it has', async () => {
    site.platform.behave(() => ({ status: 422, body: { code: 'in\u0000valid', message: 'what\u0000ever' } }));
    const send = await site.seedSend({ chunks: [1] });
    expect(await site.submit(send)).to.deep.equal({ waitUntil: null });
    const [task] = await database('broadcast_task').where({ campaign_id: send.campaignId });
    expect(task).to.include({ status: 'rejected', errorCode: 'in\uFFFDvalid', errorMessage: 'what\uFFFDever' });
  });

  it('splits off contacts that the platform does not know, and sends the rest under a new key', async () => {
    // The list is not complete: the second rejection names another contact, and a stranger.
    site.platform.behave(({ body }) => {
      const { contactIds } = body['audience'] as { contactIds: string[] };
      const wrong = contactIds.includes('c0-2') ? ['c0-2'] : contactIds.includes('c0-4') ? ['c0-4', 'stranger'] : [];
      return wrong.length > 0 ? { status: 400, body: { code: 'contact_not_found', contactIds: wrong } } : null;
    });
    const send = await site.seedSend({ chunks: [5] });
    await site.submit(send);
    await site.submit({ ...send });
    const tasks = await readTasks(database, send);
    expect(tasks.map(({ status, contactCount }) => [status, contactCount])).to.deep.equal([
      ['rejected', 1],
      ['rejected', 1],
      ['sending', 3],
    ]);
    expect(new Set(tasks.map(({ key }) => key)).size).to.equal(3);
    const last = site.platform.of('A1').at(-1);
    expect(last?.body).to.have.nested.property('audience.contactIds').that.deep.equals(['c0-1', 'c0-3', 'c0-5']);
  });

  it('rejects a whole sub-task if no contact, or every contact, is named', async () => {
    site.platform.behave(({ body }) => {
      const { contactIds } = body['audience'] as { contactIds: string[] };
      return { status: 400, body: { code: 'contact_not_found', contactIds: contactIds.length > 1 ? contactIds : [] } };
    });
    const send = await site.seedSend({ chunks: [2, 1] });
    await site.submit(send);
    const tasks = await readTasks(database, send);
    expect(tasks.map(({ status, contactCount }) => [status, contactCount])).to.deep.equal([
      ['rejected', 2],
      ['rejected', 1],
    ]);
  });

  it('pauses the campaign if no secret is accepted', async () => {
    site.platform.behave(() => ({ status: 401, body: { code: 'unauthorized' } }));
    const send = await site.seedSend({ chunks: [1] });
    expect(await site.submit(send)).to.deep.equal({ waitUntil: null });
    expect(site.platform.of('A1')).to.have.length(2);
    expect(await readCampaign(database, send)).to.include({ status: 'paused', pauseReason: 'unauthorized' });
    expect((await readTasks(database, send))[0]?.status).to.equal('pending');
  });

  for (const [name, sql] of [
    ['paused', `update campaign set status = 'paused', pause_reason = 'operator' where campaign_id = :campaignId`],
    ['cancelled', `update campaign set cancel_requested = true where campaign_id = :campaignId`],
    ['uninstalled', `update tenant_integration set status = 'UNINSTALLED' where tenant_id = :tenantId`],
  ] as const) {
    it(`sends nothing while ${name}`, async () => {
      const send = await site.seedSend({ chunks: [1, 1] });
      await rows(database, sql, { campaignId: send.campaignId, tenantId: send.tenantId });
      expect(await site.submit(send)).to.deep.equal({ waitUntil: null });
      const plan = await site.run(() => site.activities.planDispatch(send));
      expect(plan.ranges).to.deep.equal([]);
      expect(site.platform.calls).to.have.length(0);
    });
  }

  it('treats what a dead process left behind as unknown, once nobody can be waiting for it', async () => {
    const send = await site.seedSend({ chunks: [1, 1] });
    const [old = '', fresh = ''] = send.keys;
    await setTask(
      old,
      `status = 'submitting', submitting_by = 'dead', submitting_since = now() - interval '21 seconds'`,
    );
    await setTask(
      fresh,
      `status = 'submitting', submitting_by = 'other', submitting_since = now() - interval '2 seconds'`,
    );
    const { waitUntil } = await site.submit(send);
    expect((await readTasks(database, send)).map(({ status }) => status)).to.deep.equal(['unknown', 'submitting']);
    const plan = await site.run(() => site.activities.planDispatch(send));
    expect(plan).to.deep.include({ unsettled: 1, unknown: { tasks: 1, contacts: 1 } });
    const [row] = await rows<{ since: Date }>(
      database,
      'select submitting_since as since from broadcast_task where key = :fresh',
      { fresh },
    );
    expect(Date.parse(waitUntil ?? '') - Number(row?.since)).to.equal(20_000);
    expect(site.platform.calls).to.have.length(0);
  });

  it('lets a late 201 for the same submission turn unknown into sent', async () => {
    const send = await site.seedSend({ chunks: [1] });
    const key = send.keys[0] ?? '';
    site.platform.behave(async () => {
      await setTask(key, `status = 'unknown'`);
      return null;
    });
    await site.submit(send);
    expect((await readTasks(database, send))[0]).to.include({ status: 'sending', taskId: `task-${key}` });
  });

  it('cancels what comes back unsent after the cancellation', async () => {
    const send = await site.seedSend({ chunks: [1] });
    site.platform.behave(async () => {
      await rows(database, 'update campaign set cancel_requested = true where campaign_id = :campaignId', {
        campaignId: send.campaignId,
      });
      return { status: 429 };
    });
    await site.submit(send);
    expect((await readTasks(database, send))[0]?.status).to.equal('cancelled');
    expect((await readCampaign(database, send)).status).to.equal('cancelled');
  });

  describe('at a time', () => {
    const at = (ms: number) => new Date(Date.now() + ms);

    it('submits immediately with that time, and polls from then on', async () => {
      const time = at(60_000);
      const send = await site.seedSend({ chunks: [1], at: time });
      await site.submit(send);
      expect(site.platform.of('A1')[0]?.body['schedule']).to.deep.equal({ type: 'scheduled', at: time.toISOString() });
      const [task] = await readTasks(database, send);
      expect(task?.status).to.equal('scheduled');
      expect(task?.nextPollAt?.getTime()).to.equal(time.getTime());
      expect((await readCampaign(database, send)).status).to.equal('scheduled');
    });

    it('still sends within the grace period, and pauses as late after it; sends when resumed', async () => {
      const within = await site.seedSend({ chunks: [1], at: at(-60_000) });
      await site.run(() => site.activities.planDispatch(within));
      await site.submit(within);
      expect(site.platform.of('A1')[0]?.body['schedule']).to.deep.equal({ type: 'immediate' });

      const late = await site.seedSend({ chunks: [1], at: at(-3_700_000) });
      const plan = await site.run(() => site.activities.planDispatch(late));
      expect(plan).to.deep.equal({
        status: 'paused',
        freezeAt: null,
        ranges: [],
        unsettled: 1,
        unknown: { tasks: 0, contacts: 0 },
        needsSource: false,
      });
      expect(await readCampaign(database, late)).to.include({ status: 'paused', pauseReason: 'late' });
      await rows(
        database,
        `update campaign set status = 'sending', pause_reason = null where campaign_id = :campaignId`,
        {
          campaignId: late.campaignId,
        },
      );
      expect((await site.run(() => site.activities.planDispatch(late))).ranges).to.deep.equal([{ from: 0, to: 0 }]);
      await site.submit(late);
      expect((await readTasks(database, late))[0]?.status).to.equal('sending');
    });
  });
});

import { createServer } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import { createOutreachActivities } from '#activities/outreach/index.ts';
import { healthRoutes } from '#api/http/health.ts';
import { createServiceHealth } from '#api/runtime/readiness.ts';
import { evaluateSteps } from '#commands/outreach/steps/evaluate-steps.ts';
import { runDueRepeat } from '#commands/outreach/repeats/run-due-repeat.ts';
import { takeOverDatabase } from '#commands/outreach/tenants/take-over-database.ts';
import { rows } from '#db/database.ts';
import { claimDeliveries } from '#db/outreach/webhooks/relay.ts';
import { noteFirstPlace, refuseElsewhere } from '#db/place.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { listen } from '../support/http/listen.ts';
import { eventCommand, inboxOf } from '../support/outreach/inbox-events.ts';
import { readCampaign, readTasks, type TestSend } from '../support/outreach/rows.ts';
import { copyDatabase, createDatabase } from '../support/servers/database.ts';
import { campaignBody, contactId, insertContacts, startBackend } from '../support/services/backend.ts';
import { recordingLauncher } from '../support/services/outreach-flows.ts';
import { openEventSite } from '../support/webhooks/event-site.ts';

const HOUR = 3_600_000;
const limits = { room: 10, perWebhook: 4, leaseMs: 60_000 };

describe('a database that was started, and its copy', function () {
  this.timeout(120_000);

  it('first: counts as started wherever that is, though every database of a test is a copy itself', async () => {
    const database = await createDatabase();
    try {
      for (const schema of ['outreach', 'orders'] as const) {
        const own = database.connect(schema);
        await refuseElsewhere(own);
        await noteFirstPlace(own);
        await noteFirstPlace(own);
        await refuseElsewhere(own);
      }
    } finally {
      await database.drop();
    }
  });

  /** What a tenant has under way, and whom its events go to. */
  const origin = fixture(async () => {
    const backend = await startBackend();
    const site = await openEventSite(backend);
    const close = async () => {
      await site.close();
      await backend.close();
    };
    return { value: { backend, site }, close };
  });
  /** The same in a copy, with a platform of its own. */
  let backend: Awaited<ReturnType<typeof startBackend>>;
  let site: Awaited<ReturnType<typeof openEventSite>>;
  let secret: string;
  let repeatId: string;
  let firstRun: Date;
  let followed: string;
  const sends: Record<'submitted' | 'due' | 'scheduled', TestSend> = {} as never;
  let tenant: { tenantId: string };

  /** As people do. @returns what was created. */
  async function post(path: string, body?: object) {
    const response = await origin.site.call('POST', path, body);
    expect(response.status, JSON.stringify(response.body)).to.be.within(200, 202);
    return response.body;
  }

  before(async () => {
    const { backend: first, site: from } = origin;
    tenant = { tenantId: from.tenantId };
    await noteFirstPlace(first.db);
    await insertContacts(first.db, from.tenantId, 4);
    secret = await from.configure(['campaign.sent']);
    sends.submitted = await from.seedSend({ chunks: [2] });
    await from.submit(sends.submitted);
    await from.due(sends.submitted);
    sends.due = await from.seedSend({ chunks: [2, 3] });
    sends.scheduled = await from.seedSend({ chunks: [1], at: new Date(Date.now() + HOUR) });
    const { id } = await post('/campaigns', campaignBody());
    const calendar = { name: 'Daily', campaignId: id, calendar: { type: 'daily', at: '09:00' }, zone: 'Europe/Berlin' };
    const { repeatId: created, nextAt } = await post('/repeats', calendar);
    repeatId = created;
    firstRun = new Date(nextAt);
    const step = { after: { amount: 24, unit: 'hours' }, condition: { outcome: 'not_clicked' } };
    const card = { type: 'buttons', title: 'More', text: 'More', actions: [] };
    const buttons = [{ type: 'Postback', label: 'Yes', data: { bizEventCode: 'YES' } }];
    const steps = [{ ...step, messages: [{ ...card, actions: buttons }] }];
    const audience = { type: 'contacts', contactIds: [1, 2].map(contactId) };
    followed = (await post('/campaigns', { ...campaignBody(), messages: steps[0]?.messages, audience, steps })).id;
    await post(`/campaigns/${followed}:send`);
    await evaluateSteps(first.db, { ...tenant, campaignId: followed }, new Date());
    const now = new Date();
    const ended = {
      status: 'completed',
      sent: 2,
      delivered: 2,
      task_id: 'followed',
      submitted_at: now,
      finished_at: now,
    };
    await first.db('broadcast_task').where({ campaignId: followed }).update(ended);
    await first.db('campaign').where({ campaignId: followed }).update({ status: 'completed' });
    await first.database.disconnect();
    backend = await startBackend({}, await copyDatabase(first.database));
    site = await openEventSite(backend);
  });
  after(async () => {
    await site?.close();
    await backend?.close();
  });

  const sweep = async (): Promise<string[]> => {
    const launcher = recordingLauncher();
    const now = () => new Date(Date.now() + 48 * HOUR);
    const { sweepOutreachRows } = createOutreachActivities({ ...site.deps, launcher, now });
    await site.run(sweepOutreachRows);
    return launcher.asked;
  };
  /** What the workflow of a send does in one round. @returns how many ranges it found to submit. */
  async function dispatch(send: TestSend): Promise<number> {
    const { ranges } = await site.run(() => site.activities.planDispatch(send));
    await site.submit(send);
    return ranges.length;
  }
  const runRepeat = () => runDueRepeat(backend.db, { ...tenant, repeatId }, firstRun);
  const sendOf = async (campaignId: string): Promise<TestSend> => {
    const [found] = await rows<{ dispatchId: string; keys: string[] }>(
      backend.db,
      `select dispatch_id, json_agg(key order by chunk) as keys from broadcast_task
       where campaign_id = :campaignId group by dispatch_id`,
      { campaignId },
    );
    if (!found) throw new Error(`nothing is sent of ${campaignId}`);
    return { ...tenant, campaignId, number: 1, ...found };
  };
  const standing = async (campaignId: string) => {
    const token = await backend.token(tenant.tenantId, 'tenant_admin');
    const { body } = await backend.call('GET', `/standing-campaigns?campaignId=${campaignId}`, { token });
    return body.items.map(({ phase, reason }: { phase: string; reason: string }) => [phase, reason]);
  };
  async function readiness(parts: { api: boolean; worker: boolean }) {
    const there = () => Promise.resolve();
    const checks = { database: there, temporal: there, pollers: there, adoption: () => refuseElsewhere(backend.db) };
    const server = createServer(new Koa().use(healthRoutes(createServiceHealth(parts, checks)).routes()).callback());
    try {
      const response = await fetch(`${await listen(server)}/readyz`);
      return [response.status, (await response.json()) as { checks: Record<string, string> }] as const;
    } finally {
      server.close();
    }
  }
  let repeated: TestSend;
  let second: TestSend;

  it('sends nothing, by whatever way', async () => {
    // A repeat is run: what it sends waits with the others.
    expect((await sweep()).filter((asked) => !asked.startsWith('repeat'))).to.deep.equal([]);
    repeated = await sendOf((await runRepeat()).send?.campaignId ?? '');
    const step = await evaluateSteps(backend.db, { ...tenant, campaignId: followed }, new Date(Date.now() + 30 * HOUR));
    second = await sendOf(step.send?.campaignId ?? '');
    for (const send of [sends.due, sends.scheduled, repeated, second]) {
      expect(await dispatch(send)).to.equal(0);
      expect((await readTasks(backend.db, send)).map(({ attempts }) => attempts)).to.deep.equal(send.keys.map(() => 0));
    }
    expect(await site.poll(sends.submitted)).to.include({ status: 'sending' });
    expect((await readCampaign(backend.db, sends.due)).status).to.equal('sending');
    expect(await claimDeliveries(backend.db, limits)).to.deep.equal([]);

    const { gateway, pacing } = site.deps;
    const credentials = pacing.credentials(tenant.tenantId);
    const task = { serviceNumberId: 'sn-1', taskId: 't-1' };
    const broadcast = {
      name: 'n',
      channels: ['default'],
      messages: [],
      audience: { type: 'contacts' as const, contactIds: ['c'] },
      schedule: { type: 'immediate' as const },
    };
    const source = { name: 'n', reason: { type: 'activity' as const, id: 'c', data: {} }, channels: [] };
    const outcomes = [
      await gateway.createBroadcast(credentials, { serviceNumberId: 'sn-1', key: 'k', broadcast }),
      await gateway.readTask(credentials, task),
      await gateway.cancelTask(credentials, task),
      await gateway.createEntrySource(credentials, { ...source, webhook: { url: 'http://x', events: [] } }),
      await gateway.updateEntrySource(credentials, 's-1', { name: 'n', reason: { data: {} }, expiresAt: null }),
      await gateway.endEntrySource(credentials, 's-1'),
    ];
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(Array.from({ length: 6 }, () => 'notSent'));
    expect(site.platform.calls).to.deep.equal([]);
    expect(origin.site.receiver.received).to.deep.equal([]);
  });

  it('says so: of the campaign what it is at, and of the worker that it is not ready', async () => {
    for (const { campaignId } of [sends.due, sends.submitted])
      expect(await standing(campaignId), campaignId).to.deep.equal([['adoption', 'adoption']]);
    const [status, { checks }] = await readiness({ api: false, worker: true });
    expect(status).to.equal(503);
    expect(checks['adoption']).to.match(/started elsewhere.*npm run adopt/);
    const [both, answer] = await readiness({ api: true, worker: true });
    expect(both, 'an API beside it serves').to.equal(200);
    expect(answer.checks).to.deep.equal(checks);
    expect(await readiness({ api: true, worker: false })).to.deep.equal([
      200,
      { status: 'ready', checks: { database: 'ok', temporal: 'ok' } },
    ]);
  });

  it('takes in events, and answers', async () => {
    const inbox = inboxOf(backend.db);
    const data = { contactId: 'newcomer', serviceNumberId: 'sn-1' };
    await inbox.store(eventCommand(origin.site.tenant, 'contact.followed', data));
    await inbox.handle();
    const token = await backend.token(tenant.tenantId, 'tenant_admin');
    const { body } = await backend.call('GET', '/contacts/sn-1/newcomer', { token });
    expect(body).to.include({ contactId: 'newcomer', followState: 'following' });
  });

  it('sends everything once when it is adopted, which changes no campaign', async () => {
    const campaigns = () => backend.db('campaign').orderBy('campaign_id');
    const before = await campaigns();
    const from = await takeOverDatabase(backend.db, { actor: 'service:adopt', by: 'grace' });
    const [own] = await rows<{ oid: number }>(
      backend.db,
      'select oid from pg_database where datname = current_database()',
      {},
    );
    expect(from?.databaseOid).to.be.a('number').and.not.equal(own?.oid);
    expect(await campaigns()).to.deep.equal(before);
    const audited = await backend.db('audit_log').where({ action: 'integration.adopt' }).orderBy('tenant_id');
    expect(audited.map(({ tenantId, actor, after }) => [tenantId, actor, after])).to.deep.equal(
      [tenant.tenantId, site.tenantId].toSorted().map((tenantId) => [tenantId, 'service:adopt', { by: 'grace' }]),
    );
    expect(await takeOverDatabase(backend.db, { actor: 'service:adopt', by: 'grace' }), 'again').to.equal(null);
    expect(await backend.db('audit_log').where({ action: 'integration.adopt' })).to.have.length(2);

    expect(await sweep())
      .to.include(`dispatch:${sends.due.campaignId}:1`)
      .and.include(`poll:${sends.submitted.campaignId}`);
    expect((await runRepeat()).send, 'the same time').to.equal(null);
    for (const send of [sends.due, sends.scheduled, repeated, second]) {
      await dispatch(send);
      await dispatch(send);
    }
    await site.poll(sends.submitted);
    const keys = site.platform.of('A1').map(({ headers }) => headers['idempotency-key']);
    const wanted = [sends.due, sends.scheduled, repeated, second].flatMap((send) => send.keys);
    expect(keys).to.have.members(wanted).and.have.length(wanted.length);
    expect(site.platform.of('A2')).to.have.length(1);
    site.startRelay();
    await site.settled();
    await site.stopRelays();
    const told = origin.site.read(secret).map(({ data }) => data['campaignId']);
    expect(told.filter((id) => id === sends.submitted.campaignId)).to.have.length(1);
    expect(await standing(sends.due.campaignId)).to.deep.equal([]);
    const [status] = await readiness({ api: false, worker: true });
    expect(status).to.equal(200);
  });
});

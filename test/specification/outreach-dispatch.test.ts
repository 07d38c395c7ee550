import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Campaign, Progress, SubTask } from '#domain/api/campaign.ts';
import { signedCall } from '../support/services/bff.ts';
import { draftCampaign, plainMessage, sendCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { eventually } from '../support/time/eventually.ts';
import { fillContacts, installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';
import type { WireCall } from '../support/http/wire.ts';
import { useWiredStack } from '../support/fixtures/stack.ts';

type Fields = Record<string, unknown>;

interface A1Body extends Fields {
  name: string;
  audience: { type: string; contactIds: string[] };
  schedule: Fields;
}

interface Report {
  taskId: string;
  status: string;
  recipientCount: number;
  summary: Fields;
  startedAt: string;
  finishedAt: string;
}

const serviceNumberId = 'sn-dispatch';
const contacts = 2001;
const broadcasts = `/openapi/v1/service-numbers/${serviceNumberId}/broadcasts`;
const inAnHour = new Date(Date.now() + 3_600_000).toISOString();

describe('S0: dispatch', () => {
  const stack = useWiredStack();
  let tenant: TestTenant;
  let outreach: Knex;
  let large: { campaign: Campaign; tasks: SubTask[] };
  let small: { campaign: Campaign; tasks: SubTask[] };
  let scheduled: { campaign: Campaign; tasks: SubTask[] };

  const a1sOf = (name: string): { call: WireCall; body: A1Body }[] =>
    stack.toPlatform
      .of('POST', /\/broadcasts$/)
      .map((one) => ({ call: one, body: JSON.parse(one.body) as A1Body }))
      .filter(({ body }) => body.name === name);
  const few = (count: number) => ({ type: 'contacts' as const, contactIds: tenant.contactIds.slice(0, count) });
  /** How many rows of each table name each of these contacts: 'table contact count'. */
  async function rowsNaming(contactIds: string[]): Promise<Map<string, number>> {
    const { rows: tables }: { rows: { table: string }[] } = await outreach.raw(
      `select quote_ident(relname) as table from pg_class where relkind = 'r' and relnamespace = 'outreach'::regnamespace`,
    );
    const counts = new Map<string, number>();
    for (const { table } of tables) {
      const { rows: found }: { rows: { id: string; count: number }[] } = await outreach.raw(
        `select id, count(*)::int as count from (select to_jsonb(x)::text as line from ${table} x offset 0) t,
           unnest(?::text[]) as id where strpos(line, id) > 0 group by id`,
        [contactIds],
      );
      for (const { id, count } of found) counts.set(`${table} ${id}`, count);
    }
    return counts;
  }
  const onlyTask = ({ tasks }: { tasks: SubTask[] }): SubTask => tasks[0] as SubTask;
  const rowsOf = (id: string): Promise<Fields[]> =>
    outreach('broadcast_task')
      .where({ campaign_id: id })
      .orderBy('chunk')
      .then((rows) => rows as Fields[]);
  const raw = async (path: string, body: unknown) =>
    signedCall({ url: stack.addresses.sandbox }, path, await signerOf(tenant), body);

  before(async () => {
    outreach = stack.database.connect('outreach', 'owner');
    tenant = await installTenant(stack, { tenantId: 'dispatch', serviceNumberId, contacts: 1 });
    await fillContacts(stack, tenant, contacts);
    const schedule = { type: 'scheduled' as const, at: inAnHour };
    const { id } = await draftCampaign(tenant, { name: 'Scheduled', schedule });
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('the scheduled one was sent', () => stack.toPlatform.of('POST', /\/broadcasts$/).length === 3);
    // Sequential calls would never both be there. After a second without calls there are two at first.
    stack.toPlatform.gather(2, 'POST', /\/broadcasts$/);
    large = await sendCampaign(tenant, { name: 'Large' });
    small = await sendCampaign(tenant, { name: 'Small', audience: few(3) });
    const campaign = await eventually('all of the scheduled one is submitted', async () => {
      const tasks = await subTasksOf(tenant, id);
      return tasks.every(({ status }) => status === 'scheduled') && tenant.api.get<Campaign>(`/campaigns/${id}`);
    });
    scheduled = { campaign, tasks: await subTasksOf(tenant, id) };
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  it('S0-AR2: over 1000, several A1 of at most 1000 each: at once if immediate, with the same at if scheduled', async () => {
    const calls = a1sOf('Large');
    expect(calls.flatMap(({ body }) => body.audience.contactIds).toSorted()).to.deep.equal(tenant.contactIds);
    const firstResponse = Math.min(...calls.map(({ call: { respondedAt } }) => respondedAt ?? 0));
    const atOnce = calls.filter(({ call: { receivedAt } }) => receivedAt <= firstResponse);
    expect(atOnce).to.have.length.of.at.least(2);
    const times = a1sOf('Scheduled').map(({ body }) => body.schedule);
    expect(times).to.deep.equal([1, 2, 3].map(() => ({ type: 'scheduled', at: inAnHour })));
    const parents = (await rowsOf(large.campaign.id)).map((row) => row['dispatchId']);
    expect(large.tasks.map(({ parentTaskId }) => parentTaskId)).to.deep.equal(parents);
    expect(new Set(parents).size).to.equal(1);
    expect(onlyTask(small).parentTaskId).to.equal(null);
    const { summary, status } = await tenant.api.get<Progress>(`/campaigns/${large.campaign.id}/progress`);
    expect([status, summary.sent, summary.delivered]).to.deep.equal(['completed', contacts, contacts]);
  });

  it('S0-AR3: to the platform each sub-task is an ordinary A1 call', async () => {
    const fields = (name: string) => a1sOf(name).map(({ body }) => Object.keys(body).toSorted().join());
    expect(new Set([...fields('Large'), ...fields('Small')]).size).to.equal(1);
    const { items } = await tenant.sandbox.get<{ items: Fields[] }>('/sandbox/tasks?tenant=dispatch');
    const accepted = items.filter(({ name }) => name === 'Large').map(({ taskId }) => taskId);
    expect(accepted).to.have.members(large.tasks.map(({ taskId }) => taskId));
  });

  it('S0-LM2: an A1 has at most 1000 contactIds', () => {
    const sizes = stack.toPlatform
      .of('POST', /\/broadcasts$/)
      .map(({ body }) => (JSON.parse(body) as A1Body).audience.contactIds.length);
    expect(Math.max(...sizes)).to.equal(1000);
  });

  it('S0-LM3: each sub-task of a split send has 1000 contacts, the last one the rest', () => {
    const sizes = large.tasks.map(({ contactCount }) => contactCount);
    expect(sizes.toSorted((a, b) => b - a)).to.deep.equal([1000, 1000, 1]);
  });

  it('S0-FL4: dispatch_campaign makes each A1 call once, and stores its taskId', async () => {
    for (const { campaign, tasks } of [large, small, scheduled]) {
      const calls = a1sOf(campaign.name);
      expect(calls.map(({ call: { status } }) => status)).to.deep.equal(tasks.map(() => 201));
      const answered = calls.map(({ call: { response } }) => (JSON.parse(response) as Report).taskId);
      expect(answered).to.have.members(tasks.map(({ taskId }) => taskId));
      const handle = stack.temporal.client.workflow.getHandle(`dispatch:${campaign.id}:1`);
      await handle.result();
      expect((await handle.describe()).status.name).to.equal('COMPLETED');
    }
  });

  it('S0-ERR2: the platform rejects more than 1000 contacts in one task; splitting avoids that', async () => {
    const body = (count: number) => ({
      name: 'Raw',
      channels: ['default'],
      messages: [plainMessage],
      audience: { type: 'contacts', contactIds: tenant.contactIds.slice(0, count) },
      schedule: { type: 'immediate' },
    });
    const rejected = await raw(broadcasts, body(1001));
    expect([rejected.status, rejected.body['code']]).to.deep.equal([422, 'audience_too_large']);
    expect((await raw(broadcasts, body(1000))).status).to.equal(201);
    expect(large.tasks.every(({ status, error }) => status === 'completed' && error === undefined)).to.equal(true);
  });

  it('S0-BT2: A2 is a GET without a body; it returns what is known of the task', async () => {
    const { taskId } = onlyTask(small);
    const [a2] = stack.toPlatform.of('GET', new RegExp(`${broadcasts}/${taskId}$`));
    expect([a2?.status, a2?.body]).to.deep.equal([200, '']);
    expect(Object.keys(JSON.parse(a2?.response ?? '{}') as Report)).to.have.members([
      'taskId',
      'status',
      'recipientCount',
      'summary',
      'startedAt',
      'finishedAt',
    ]);
  });

  it('S0-RC12: broadcast_task has the platform’s taskId, campaign, parent, status, counts, summary, times and the frozen audience', async () => {
    const reports = await Promise.all(
      large.tasks.map(({ taskId }) => tenant.sandbox.get<Report>(`/sandbox/tasks/${taskId}`)),
    );
    const rows = await rowsOf(large.campaign.id);
    for (const row of rows) {
      const report = reports.find(({ taskId }) => taskId === row['taskId']);
      const { sent, delivered, failed } = row;
      expect(row).to.include({ status: 'completed', recipientCount: report?.recipientCount });
      expect({ sent, delivered, failed }).to.deep.equal({
        sent: row['contactCount'],
        delivered: row['contactCount'],
        failed: 0,
      });
      const times = [row['startedAt'], row['finishedAt']].map((time) => (time as Date).toISOString());
      expect(times).to.deep.equal([report?.startedAt, report?.finishedAt]);
      const snapshot: Fields[] = await outreach('dispatch_recipient').where({
        dispatch_id: row['dispatchId'],
        chunk: row['chunk'],
      });
      const ids = snapshot.map((one) => String(one['contactId'])).toSorted();
      const sentTo = a1sOf('Large').find(({ call: { response } }) => response.includes(String(row['taskId'])));
      expect(ids).to.deep.equal(sentTo?.body.audience.contactIds.toSorted());
    }
    expect(rows).to.have.length(3);
  });

  it('S0-FL5: poll_task_status polls until the end, and broadcast_task stores what A2 returned', async () => {
    // Long enough to be observed in between, even on a busy machine.
    await tenant.sandbox.put('/sandbox/behaviour', { sendDurationMs: 4000 });
    const slow = onlyTask(await sendCampaign(tenant, { name: 'Slow', audience: few(5) }));
    const reported = stack.toPlatform
      .of('GET', new RegExp(`${slow.taskId}$`))
      .map(({ response }) => (JSON.parse(response) as Report).status);
    expect(reported.slice(0, -1)).to.include('sending').and.not.include('completed');
    expect([reported.at(-1), slow.status]).to.deep.equal(['completed', 'completed']);
    await tenant.sandbox.put('/sandbox/behaviour', { sendDurationMs: 300, taskFailureShare: 1 });
    const { id } = await draftCampaign(tenant, {
      name: 'Failing',
      audience: few(1),
    });
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually(
      'it has failed',
      async () => (await tenant.api.get<Campaign>(`/campaigns/${id}`)).status === 'failed',
    );
    await tenant.sandbox.put('/sandbox/behaviour', { taskFailureShare: 0 });
    const [row] = await rowsOf(id);
    expect(row).to.include({ status: 'failed', sent: 0 });
  });

  it('S0-EVR3: no event reports the states of a task: they are known only from A2', () => {
    const types = stack.toBff
      .of('POST', /webhook/)
      .map(({ body }) => (JSON.parse(body) as { eventType: string }).eventType);
    expect(new Set(types)).to.deep.equal(new Set(['contact.entered']));
    for (const { taskId } of [...large.tasks, ...small.tasks]) {
      const responses = stack.toPlatform.of('GET', new RegExp(`${taskId}$`)).map(({ response }) => response);
      expect(responses.some((response) => response.includes('"completed"'))).to.equal(true);
    }
  });

  it('S0-R9: contacts held back by the platform’s governance get no delivery, and nothing about that is stored here', async () => {
    await tenant.sandbox.put('/sandbox/behaviour', { governanceShare: 0.5 });
    const { contactIds } = few(200);
    const before = await rowsNaming(contactIds);
    const { campaign } = await sendCampaign(tenant, {
      name: 'Governed',
      audience: few(200),
    });
    await tenant.sandbox.put('/sandbox/behaviour', { governanceShare: 0 });
    // Of a send to some who were held back and some who were not, every table says the same of all.
    const after = await rowsNaming(contactIds);
    const added = contactIds.map((id) =>
      [...after]
        .flatMap(([key, count]) =>
          key.endsWith(` ${id}`) && count > (before.get(key) ?? 0)
            ? [`${key.split(' ')[0]}: ${count - (before.get(key) ?? 0)}`]
            : [],
        )
        .join(),
    );
    expect(new Set(added).size, [...new Set(added)].join(' | ')).to.equal(1);
    expect(added[0]).to.match(/dispatch_chunk\w*: 1/);
    expect(campaign.audienceCount).to.equal(200);
    expect(campaign.summary.delivered).to.be.within(50, 150);
    const [row] = await rowsOf(campaign.id);
    const { delivered, sent, failed, recipientCount: recipients } = row ?? {};
    expect([delivered, sent, failed, recipients]).to.deep.equal([campaign.summary.delivered, delivered, 0, 200]);
  });

  it('S0-ERR4: a task that is no longer scheduled cannot be cancelled, here or there', async () => {
    const rejected = await raw(`${broadcasts}/${onlyTask(small).taskId}:cancel`, {});
    expect([rejected.status, rejected.body['code'], rejected.body['status']]).to.deep.equal([
      409,
      'not_scheduled',
      'completed',
    ]);
    const own = await tenant.api.post(`/campaigns/${small.campaign.id}:cancel`).catch(String);
    expect(own).to.contain('409').and.contain('invalid_state');
    expect((await tenant.sandbox.get<Report>(`/sandbox/tasks/${onlyTask(small).taskId}`)).status).to.equal('completed');
  });

  it('S0-BT3, S0-ST1: A3 is a POST, and moves a scheduled task to cancelled', async () => {
    await tenant.api.post(`/campaigns/${scheduled.campaign.id}:cancel`);
    await eventually('it is cancelled', async () => {
      const { status } = await tenant.api.get<Campaign>(`/campaigns/${scheduled.campaign.id}`);
      return status === 'cancelled';
    });
    const a3 = stack.toPlatform.of('POST', /:cancel$/);
    const paths = scheduled.tasks.map(({ taskId }) => `${broadcasts}/${taskId}:cancel`);
    expect(a3.map(({ path }) => path)).to.have.members(paths);
    expect(a3.map(({ status, body }) => [status, body])).to.deep.equal(paths.map(() => [200, '']));
    for (const { taskId, status } of scheduled.tasks) {
      expect(status).to.equal('scheduled');
      expect((await tenant.sandbox.get<Report>(`/sandbox/tasks/${taskId}`)).status).to.equal('cancelled');
    }
    const rows = await rowsOf(scheduled.campaign.id);
    expect(rows.map(({ status }) => status)).to.deep.equal(['cancelled', 'cancelled', 'cancelled']);
  });
});

import { expect } from 'chai';
import type { StandingCampaign } from '#domain/api/standing.ts';
import { schedules as ofOutreach } from '#api/backend/schedules.ts';
import { schedules as ofOrders } from '#api/orders/schedules.ts';
import { INBOX_RESCUE, RELAY, SEALER, SWEEP } from '#domain/recurring/sweep.ts';
import type { Schema } from '#db/connection.ts';
import { rehearse } from '../support/alerts/rehearsal.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { readMetrics } from '../support/http/metrics.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

/** What recurs notes its ends in rows, from which the API tells of a worker that is gone. */
describe('a worker beside its API', function () {
  this.timeout(180_000);
  const stack = useStack({ services: ['sandbox', 'backend', 'backend-worker', 'orders', 'orders-worker', 'bff'] });
  const backend = rehearse('backend', () => stack.metrics.backend);
  const ofRounds = {
    backend: rehearse('backend', () => stack.metrics.backend),
    orders: rehearse('orders', () => stack.metrics.orders),
  };
  let tenant: TestTenant;
  before(async () => {
    tenant = await installTenant(stack, { tenantId: 'worker', serviceNumberId: 'sn-worker', contacts: 3 });
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  const runs = (schema: Schema) => stack.database.connect(schema, 'owner')('recurring_run');
  const ended = async (schema: Schema): Promise<string[]> =>
    (await runs(schema).whereNotNull('completed_at').orderBy('kind')).map(({ kind }: { kind: string }) => kind);

  it('notes the end of each sweep, of a run of each Schedule and of what it does all the time, which every process reports', async () => {
    for (const { id } of [...ofOutreach, ...ofOrders]) await stack.temporal.client.schedule.getHandle(id).trigger();
    const expected = {
      bff: [],
      outreach: [SEALER, INBOX_RESCUE, RELAY, ...ofOutreach.map(({ id }) => id)],
      orders: [SEALER, RELAY, ...ofOrders.map(({ id }) => id)],
    };
    for (const [schema, ids] of Object.entries(expected) as [Schema, string[]][]) {
      const kinds = [...ids, SWEEP].toSorted();
      await eventually(`all of ${schema}`, async () => (await ended(schema)).join() === kinds.join(), {
        timeoutMs: 90_000,
      });
    }
    for (const service of ['bff', 'backend', 'orders'] as const) {
      const metrics = await readMetrics(stack.metrics[service]);
      const kinds = expected[service === 'backend' ? 'outreach' : service];
      for (const kind of [...kinds, SWEEP]) {
        const allowed = metrics.get(`recurring_run_allowed_seconds{kind="${kind}"}`) ?? 0;
        expect(metrics.get(`recurring_run_age_seconds{kind="${kind}"}`), kind).to.be.within(0, Math.min(allowed, 120));
      }
    }
  });

  it('is missed once it is killed: a metric for staff, a reason for operators, until it runs again', async () => {
    const age = async () =>
      (await readMetrics(stack.metrics.backend)).get(`recurring_run_age_seconds{kind="${SWEEP}"}`) ?? Infinity;
    const reasons = async () =>
      (await tenant.api.get<{ items: StandingCampaign[] }>('/standing-campaigns')).items.map(
        ({ phase, reason }) => `${phase}: ${reason}`,
      );
    await backend.scrape('SweepNotRun');
    await stack.kill('backend-worker');
    const { id } = await draftCampaign(tenant, {});
    await tenant.api.post(`/campaigns/${id}:send`);
    expect(await reasons()).to.deep.equal([]);
    // As it is ten minutes later.
    const then = new Date(Date.now() - 600_000);
    await runs('outreach').where({ kind: SWEEP }).update({ started_at: then, completed_at: then });
    const rows = stack.database.connect('outreach', 'owner');
    await rows('broadcast_task').where({ campaign_id: id }).update({ created_at: then });
    await rows('campaign').where({ campaign_id: id }).update({ updated_at: then });
    expect(await age()).to.be.greaterThan(600);
    expect(await reasons()).to.deep.equal(['submit: worker_away']);
    await backend.scrape('SweepNotRun');
    await stack.restart('backend-worker');
    await eventually('it has swept', async () => (await age()) < 60, { timeoutMs: 60_000 });
    await eventually('nothing stands still', async () => (await reasons()).length === 0, { timeoutMs: 60_000 });
    await backend.scrape('SweepNotRun');
  });

  backend.fireAndClear(['SweepNotRun']);

  describe('whose sealer, inbox rescue and relay fail while it sweeps', () => {
    /** What each needs, away and back. */
    const faults: { job: 'backend' | 'orders'; kind: string; away: string; back: string }[] = [
      {
        job: 'backend',
        kind: SEALER,
        away: 'alter function outreach.seal_audit(int) rename to seal_audit_away',
        back: 'alter function outreach.seal_audit_away(int) rename to seal_audit',
      },
      {
        job: 'backend',
        kind: INBOX_RESCUE,
        away: 'alter table outreach.inbox_lease rename to inbox_lease_away',
        back: 'alter table outreach.inbox_lease_away rename to inbox_lease',
      },
      {
        job: 'orders',
        kind: RELAY,
        away: 'alter table orders.webhook rename to webhook_away',
        back: 'alter table orders.webhook_away rename to webhook',
      },
    ];
    const owner = () => stack.database.connect('outreach', 'owner');
    const runOf = ({ job, kind }: (typeof faults)[number]) =>
      runs(job === 'backend' ? 'outreach' : 'orders').where({ kind });
    const agesOf = async (job: 'backend' | 'orders') => {
      const metrics = await readMetrics(stack.metrics[job]);
      return (kind: string) => metrics.get(`recurring_run_age_seconds{kind="${kind}"}`) ?? Infinity;
    };
    const scrape = async () => {
      for (const rehearsal of Object.values(ofRounds)) await rehearsal.scrape('SweepNotRun');
    };

    it('is missed by each of them alone', async () => {
      await scrape();
      for (const { away } of faults) await owner().raw(away);
      const since = new Date();
      for (const fault of faults) {
        const isTried = async () => (await runOf(fault).first('started_at')).startedAt > since;
        await eventually(`${fault.kind} is tried`, isTried, { timeoutMs: 60_000 });
        // As it is ten minutes later.
        await runOf(fault).update({ completed_at: new Date(Date.now() - 600_000) });
      }
      for (const { job, kind } of faults) {
        const ageOf = await agesOf(job);
        expect(ageOf(kind), kind).to.be.greaterThan(600);
        expect(ageOf(SWEEP), `the sweep beside ${kind}`).to.be.lessThan(60);
      }
      await scrape();
      for (const { back } of faults) await owner().raw(back);
      for (const { job, kind } of faults)
        await eventually(`${kind} ends again`, async () => (await agesOf(job))(kind) < 60, { timeoutMs: 60_000 });
      await scrape();
    });

    ofRounds.backend.fireAndClear(['SweepNotRun']);
    ofRounds.orders.fireAndClear(['SweepNotRun']);
  });
});

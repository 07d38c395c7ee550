import { expect } from 'chai';
import type { StandingCampaign } from '../../domain/api/standing.ts';
import { schedules as ofOutreach } from '../../api/backend/schedules.ts';
import { schedules as ofOrders } from '../../api/orders/schedules.ts';
import { SWEEP } from '../../domain/recurring/sweep.ts';
import type { Schema } from '../../db/connection.ts';
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

  it('notes the end of each sweep and of a run of each Schedule, which every process reports', async () => {
    for (const { id } of [...ofOutreach, ...ofOrders]) await stack.temporal.client.schedule.getHandle(id).trigger();
    const expected = { bff: [], outreach: ofOutreach.map(({ id }) => id), orders: ofOrders.map(({ id }) => id) };
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
});

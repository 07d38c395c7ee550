import { expect } from 'chai';
import type { Campaign } from '#domain/api/campaign.ts';
import { dispatchWorkflowId } from '#workflows/contracts/dispatch-campaign.ts';
import { pollWorkflowId } from '#workflows/contracts/poll-task-status.ts';
import { call } from '../support/http/call.ts';
import { useSharedStack } from '../support/fixtures/stack.ts';
import { draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { currentDetails } from '../support/services/outreach-worker.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { freshTenantId } from '../support/services/shared-stack.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

describe('what follows the tasks of a campaign', function () {
  this.timeout(180_000);
  const stack = useSharedStack();
  let tenant: TestTenant;

  before(async () => {
    tenant = await installTenant(stack, { tenantId: freshTenantId(), serviceNumberId: 'sn-followed', contacts: 20 });
  });

  const read = (id: string) => tenant.api.get<Campaign>(`/campaigns/${id}`);

  /** What the activity said that follows the campaign's tasks before it began to wait. */
  async function lastPollOf(id: string): Promise<string> {
    const { raw } = await stack.temporal.client.workflow.getHandle(pollWorkflowId(id)).describe();
    return raw.pendingActivities?.[0]?.lastFailure?.message ?? '';
  }

  /** Milliseconds until the send tries again. */
  async function untilNextAttempt(id: string): Promise<number> {
    const details = (await currentDetails(stack.temporal.client, dispatchWorkflowId(id, 1))) ?? '';
    const [at = ''] = /(?<=is due at )\S+Z/.exec(details) ?? [];
    return Date.parse(at) - Date.now();
  }

  it('is woken by a resume, although polls are a minute apart during a pause that its send slept through', async () => {
    const down = { route: 'A1', mode: 'status', status: 503, code: 'unavailable' };
    await tenant.sandbox.put('/sandbox/faults', { faults: [down] });
    const { id } = await draftCampaign(tenant, { name: 'Paused while the platform was down' });
    await tenant.api.post(`/campaigns/${id}:send`, {});
    await eventually('the send sleeps for seconds', async () => (await untilNextAttempt(id)) > 6000);
    await tenant.api.post(`/campaigns/${id}:pause`, {});
    await eventually('the next poll is a minute away', async () => (await lastPollOf(id)).includes('in 60 s'));
    await tenant.sandbox.put('/sandbox/faults', { faults: [] });
    await tenant.api.post(`/campaigns/${id}:resume`, {});
    await eventually('it is completed', async () => (await read(id)).status === 'completed', { timeoutMs: 20_000 });
    expect((await subTasksOf(tenant, id)).map(({ status }) => status)).to.deep.equal(['completed']);
  });

  it('is woken where a start that was hours away is now seconds away', async () => {
    const startingAt = (at: Date) => ({
      type: 'scheduled' as const,
      at: at.toISOString(),
      audience: 'at_start' as const,
    });
    const inHours = startingAt(new Date(Date.now() + 7_200_000));
    const { id } = await draftCampaign(tenant, { name: 'Moved forward', schedule: inHours });
    await tenant.api.post(`/campaigns/${id}:send`, {});
    await eventually('the next poll is hours away', async () => /in \d{4} s/.test(await lastPollOf(id)));
    const start = startingAt(new Date(Date.now() + 2000));
    const { sandbox, tenantId } = tenant;
    const token = await sandboxToken(sandbox, { sub: 'ada', tenantId, roles: ['marketing_operator'] });
    const url = `${stack.addresses.bff}/api/v1/campaigns/${id}`;
    const moved = await call('PATCH', url, { token, body: { schedule: start }, headers: { 'If-Match': '*' } });
    expect(moved.status, JSON.stringify(moved.body)).to.equal(200);
    await eventually('it is completed', async () => (await read(id)).status === 'completed', { timeoutMs: 20_000 });
    expect((await subTasksOf(tenant, id)).map(({ status }) => status)).to.deep.equal(['completed']);
  });
});

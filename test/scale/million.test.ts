import { expect } from 'chai';
import type { Campaign, Progress } from '#domain/api/campaign.ts';
import type { AudiencePreview } from '#domain/api/audiences.ts';
import type { DryRun } from '#domain/api/dry-run.ts';
import { isWhole } from '../support/extent.ts';
import { eventually } from '../support/time/eventually.ts';
import { inOrder } from '../support/in-order.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { installVastTenant, peakMemory, uploadEverybody, vastContactId } from '../support/services/vast-tenant.ts';
import { useStack } from '../support/fixtures/stack.ts';

const CONTACTS = isWhole(import.meta.url) ? 1_000_000 : 50_000;
const SUB_TASKS = CONTACTS / 1000;

describe(`an audience of ${CONTACTS} contacts`, function () {
  this.timeout(180_000);
  inOrder(this);
  const env = { PLATFORM_CALLS_PER_SECOND: '10000' };
  const stack = useStack({ services: ['sandbox', 'backend', 'bff'], env });
  let tenant: TestTenant;
  let audienceId: string;
  let campaign: Campaign;

  before(async function () {
    if (process.platform !== 'linux') this.skip();
    tenant = await installVastTenant(stack, CONTACTS);
  });

  it('is streamed in', async () => {
    const { audienceId: id, uploaded } = await uploadEverybody(stack, tenant, CONTACTS);
    audienceId = id;
    expect(uploaded, JSON.stringify(uploaded)).to.deep.include({ memberCount: CONTACTS, duplicates: 0, unknown: 0 });
  });

  it('is counted', async () => {
    const { serviceNumberId } = tenant;
    const audience = { type: 'contacts', audienceId };
    const preview = await tenant.api.post<AudiencePreview>('/audiences:preview', { serviceNumberId, audience });
    expect(preview).to.include({ hitCount: CONTACTS, reachableCount: CONTACTS });
  });

  it('has had its dry run', async () => {
    campaign = await tenant.api.post<Campaign>('/campaigns', {
      name: 'To everybody',
      serviceNumberId: tenant.serviceNumberId,
      messages: [{ type: 'text', text: 'Good morning.' }],
      audience: { type: 'contacts', audienceId },
      schedule: { type: 'immediate' },
    });
    const rehearsed = await tenant.api.post<DryRun>(`/campaigns/${campaign.id}:dry-run`);
    expect(rehearsed.audienceCount).to.equal(CONTACTS);
    expect(rehearsed.chunks.map(({ contactCount }) => contactCount)).to.deep.equal(Array(SUB_TASKS).fill(1000));
    expect(rehearsed.requests.map(({ audience }) => audience.contactIds[0])).to.deep.equal(
      [0, 1000, 2000].map(vastContactId),
    );
  });

  it('is frozen and sent as sub-tasks of 1,000 contacts, each contact once', async () => {
    const asked = { expectedReachableCount: CONTACTS };
    const sent = await tenant.api.post<Campaign>(`/campaigns/${campaign.id}:send`, asked);
    expect(sent.status).to.equal('sending');
    const submitted = await eventually(
      'the campaign is completed',
      async () => {
        const progress = await tenant.api.get<Progress>(`/campaigns/${campaign.id}/progress`);
        const counted = Object.values(progress.subTasks).reduce((sum, { contacts }) => sum + contacts, 0);
        expect(counted, 'contacts of all states').to.equal(CONTACTS);
        return progress.status === 'completed' && progress;
      },
      { timeoutMs: 170_000, intervalMs: 200 },
    );
    expect(submitted.subTasks).to.deep.equal({ completed: { tasks: SUB_TASKS, contacts: CONTACTS } });
    expect(submitted.summary).to.include({ sent: CONTACTS, delivered: CONTACTS, failed: 0 });
    const calls = await tenant.sandbox.get<{ total: number; items: { status: number }[] }>(
      '/sandbox/calls?route=A1&limit=2000',
    );
    expect(calls.items.filter(({ status }) => status === 201)).to.have.length(SUB_TASKS);
    expect(calls.total).to.equal(SUB_TASKS);
  });

  it('leaves no history with more than 10,000 events', async () => {
    const lengths = new Map<string, number>();
    for await (const execution of stack.temporal.client.workflow.list()) {
      const { historyLength } = await stack.temporal.client.workflow
        .getHandle(execution.workflowId, execution.runId)
        .describe();
      lengths.set(execution.type, Math.max(historyLength, lengths.get(execution.type) ?? 0));
    }
    expect([...lengths.keys()]).to.include.members(['dispatchCampaign', 'pollTaskStatus']);
    for (const [type, length] of lengths) expect(length, type).to.be.at.most(10_000);
  });

  it('takes no process above 512 MiB', () => {
    for (const name of ['sandbox', 'backend', 'bff'] as const)
      expect(peakMemory(stack.child(name).pid), name).to.be.below(512);
  });
});

import { expect } from 'chai';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Tag } from '#domain/api/tags.ts';
import { type RecordingPlatform, startRecordingPlatform } from '../support/doubles/recording-platform.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import type { SubmittedBody } from '../support/services/editing-site.ts';
import { apiAs, installTenant, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

/** Long enough to send and to tag before, on a busy machine. */
const SOON_MS = 8000;

describe('an audience that grows above what needs approval until its start, end to end', function () {
  this.timeout(90_000);
  let platform: RecordingPlatform;
  let tenant: TestTenant;
  before(async () => void (platform = await startRecordingPlatform()));
  const stack = useStack(() => ({
    services: ['sandbox', 'backend', 'bff'],
    env: { PLATFORM_BASE_URL: platform.baseUrl },
  }));
  before(async () => {
    tenant = await installTenant(stack, { tenantId: 'growing', serviceNumberId: 'sn-growing', contacts: 5 });
    await tenant.api.patch('/tenant-settings', { sendsNeedApproval: 4 });
  });
  after(() => platform.close());
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  const as = (sub: string) => apiAs(stack, { sub, tenantId: tenant.tenantId, roles: ['marketing_operator'] });
  const a1s = () => platform.of('A1').map(({ body }) => body as unknown as SubmittedBody);
  const read = (id: string) => tenant.api.get<Campaign>(`/campaigns/${id}`);

  /** Sent to one contact, and paused at its start with five. */
  async function held(): Promise<{ id: string; approvalId: string }> {
    platform.calls.length = 0;
    const { serviceNumberId, contactIds } = tenant;
    const name = `Growing ${Math.random()}`;
    const tag = await tenant.api.post<Tag>('/tags', { name, serviceNumberId, kind: 'permanent' });
    const assign = (ids: string[]) => tenant.api.post(`/tags/${tag.tagId}/assignments`, { contactIds: ids });
    await assign(contactIds.slice(0, 1));
    const at = new Date(Date.now() + SOON_MS);
    const { id } = await draftCampaign(tenant, {
      audience: { type: 'app_tags', appTagIds: [tag.tagId], tagOperator: 'OR' },
      schedule: { type: 'scheduled', at: at.toISOString(), audience: 'at_start' },
    });
    const sent = await tenant.api.post<Campaign>(`/campaigns/${id}:send`);
    expect(sent).to.include({ status: 'scheduled', approval: null, audienceCount: 1 });
    await assign(contactIds);
    expect(Date.now(), 'it was tagged before the start').to.be.below(at.getTime());
    const paused = await eventually('it is paused', async () => {
      const found = await read(id);
      return found.status === 'paused' && found;
    });
    expect(paused).to.include({ pauseReason: 'approval', audienceCount: 5 });
    expect(Date.now()).to.be.at.least(at.getTime());
    expect(paused.approval).to.include({ contacts: 5, above: 4, requestedBy: 'ada', outcome: null });
    return { id, approvalId: paused.approval?.approvalId ?? '' };
  }

  it('pauses then with no call to the platform, and goes out once, to all of them, when another operator approves', async () => {
    const { id, approvalId } = await held();
    expect(a1s()).to.deep.equal([]);
    const olga = await as('olga');
    await olga.post(`/campaigns/${id}:approve`, { approvalId });
    await eventually('its task is at the platform', async () =>
      (await subTasksOf(tenant, id)).every(({ taskId }) => taskId !== null),
    );
    expect(a1s().map(({ audience }) => audience.contactIds.toSorted())).to.deep.equal([tenant.contactIds]);
    expect((await read(id)).approval).to.include({ outcome: 'approved', decidedBy: 'olga' });
  });

  it('is not sent to anybody when another operator rejects', async () => {
    const { id, approvalId } = await held();
    const olga = await as('olga');
    await olga.post(`/campaigns/${id}:reject`, { approvalId, reason: 'Too many' });
    await eventually('it is cancelled', async () => (await read(id)).status === 'cancelled');
    await eventually('nothing waits', async () =>
      (await subTasksOf(tenant, id)).every(({ status }) => status === 'cancelled'),
    );
    expect(a1s()).to.deep.equal([]);
  });
});

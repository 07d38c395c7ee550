import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import type { Campaign } from '#domain/api/campaign.ts';
import type { StandingCampaign } from '#domain/api/standing.ts';
import { builtServices, projectFolder } from '#scripts/start/services.ts';
import { dispatchWorkflowId } from '#workflows/contracts/dispatch-campaign.ts';
import { broadcastCallsOf, draftCampaign } from '../support/outreach/campaigns.ts';
import { copyDatabase, type TestDatabase } from '../support/servers/database.ts';
import { type Stack, startStack } from '../support/services/stack.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const addresses = ['DATABASE_URL', 'DATABASE_URL_BFF', 'DATABASE_URL_BACKEND', 'DATABASE_URL_ORDERS'] as const;
const ports = ['BFF_PORT', 'BACKEND_PORT', 'ORDERS_PORT', 'SANDBOX_PORT'] as const;
const busy = { route: 'A1', mode: 'status', status: 429, code: 'busy', retryAfter: 10 };

describe('services started on a copy of their database', function () {
  this.timeout(300_000);
  let first: Stack;
  let second: Stack | undefined;
  let copy: TestDatabase | undefined;
  let tenant: TestTenant;

  before(async () => {
    first = await startStack({ services: ['sandbox', 'backend', 'bff'] });
    tenant = await installTenant(first, { tenantId: 'copied', serviceNumberId: 'sn-copied', contacts: 3 });
  });
  after(async () => {
    await second?.stop();
    await copy?.drop();
    await first?.stop();
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${(second ?? first).logs()}\n`);
  });

  const accepted = async () => (await broadcastCallsOf(tenant)).filter(({ status }) => status === 201).length;
  const statusOf = async (id: string) => (await tenant.api.get<Campaign>(`/campaigns/${id}`)).status;
  async function send(): Promise<Campaign> {
    const { id } = await draftCampaign(tenant, {});
    return await tenant.api.post<Campaign>(`/campaigns/${id}:send`);
  }

  it('send nothing until npm run adopt, and then everything once', async () => {
    await tenant.sandbox.put('/sandbox/faults', { faults: [busy] });
    const before = await send();
    // Nobody knows what became of a call that a killed process made.
    await eventually('it is to be tried again', async () => {
      const waiting = await first.database.connect('outreach').table('broadcast_task').whereNotNull('next_attempt_at');
      return waiting.length === 1;
    });
    for (const name of ['backend', 'bff'] as const) await first.kill(name);
    await first.database.disconnect();
    const copied = await copyDatabase(first.database);
    copy = copied;
    await tenant.sandbox.put('/sandbox/faults', { faults: [] });
    const databases = Object.fromEntries(addresses.map((name) => [name, copied[name]]));
    const kept = Object.fromEntries(ports.map((name) => [name, String(first.settings[name])]));
    second = await startStack({ services: ['backend', 'bff'], env: { ...databases, ...kept } });

    const later = await send();
    const dispatch = second.temporal.client.workflow.getHandle(dispatchWorkflowId(later.id, 1));
    expect(await dispatch.result()).to.deep.equal({ heldBack: 1 });
    for (const { id } of [before, later]) {
      const { items } = await tenant.api.get<{ items: StandingCampaign[] }>(`/standing-campaigns?campaignId=${id}`);
      expect(items.map(({ phase }) => phase)).to.deep.equal(['adoption']);
      expect(await statusOf(id)).to.equal('sending');
    }
    const ready = await fetch(`${second.addresses.backend}/readyz`);
    expect(ready.status, 'its API serves').to.equal(200);
    expect(((await ready.json()) as { checks: Record<string, string> }).checks['adoption']).to.include('elsewhere');
    expect(await accepted()).to.equal(0);

    const printed = execFileSync(process.execPath, [`${builtServices}/adopt.mjs`, '--by=grace'], {
      cwd: projectFolder,
      env: { PATH: process.env.PATH, NODE_ENV: 'test', ...databases },
    }).toString();
    expect(printed).to.match(/^The database of outreach is taken over: it was number \d+ of the cluster \d+\.\n$/);
    for (const { id } of [before, later])
      await eventually('it is completed', async () => (await statusOf(id)) === 'completed', { timeoutMs: 150_000 });
    expect(await accepted()).to.equal(2);
    const audited = await copied.connect('outreach').table('audit_log').where({ action: 'integration.adopt' });
    expect(audited.map(({ after }) => after)).to.deep.equal([{ by: 'grace' }]);
  });
});

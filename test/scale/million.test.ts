import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Campaign, Progress } from '../../domain/api/campaign.ts';
import type { AudiencePreview, SavedAudience } from '../../domain/api/audiences.ts';
import type { DryRun } from '../../domain/api/dry-run.ts';
import { firstRow } from '../../db/database.ts';
import { projectFolder } from '../../scripts/start/services.ts';
import { eventually } from '../support/time/eventually.ts';
import { inOrder } from '../support/in-order.ts';
import { type Stack, startStack } from '../support/services/stack.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';

const CONTACTS = 1_000_000;
const SUB_TASKS = CONTACTS / 1000;
const MEBIBYTE = 1024 * 1024;
const serviceNumberId = 'sn-million';

const contactId = (index: number): string => `${serviceNumberId}-${String(index + 1).padStart(6, '0')}`;

/** The list as an operator's file has it, a thousand lines a chunk. */
function* csv(): Generator<Buffer> {
  const lines = (from: number, count: number) =>
    Buffer.from(`${Array.from({ length: count }, (_, index) => contactId(from + index)).join('\n')}\n`);
  for (let from = 0; from < CONTACTS; from += 1000) yield lines(from, 1000);
}

/** The most memory that the process has held at once, in MiB, as the kernel counted it. */
function peakMemory(pid: number): number {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (!found) throw new Error(`the kernel does not tell the memory of ${pid}`);
  return Math.ceil((Number(found[1]) * 1024) / MEBIBYTE);
}

describe('an audience of 1,000,000 contacts', function () {
  this.timeout(180_000);
  inOrder(this);
  let stack: Stack;
  let tenant: TestTenant;
  let audienceId: string;
  let campaign: Campaign;
  const figures: Record<string, number> = {};

  async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await work();
    figures[`${name}Seconds`] = Math.round((performance.now() - began) / 100) / 10;
    return result;
  }

  before(async function () {
    if (process.platform !== 'linux') this.skip();
    stack = await startStack({ services: ['sandbox', 'backend', 'bff'] });
    tenant = await installTenant(stack, { tenantId: 'vast', serviceNumberId, contacts: 1 });
    await tenant.sandbox.post('/sandbox/contacts', { tenant: 'vast', serviceNumberId, count: CONTACTS });
    // A million webhooks would be a test of the inbox, which has its own: the profiles that they leave are copied.
    const copied = await firstRow<{ count: number }>(
      stack.database.connect('outreach', 'owner'),
      `with copied as (insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, entered_at, last_event_at)
       select tenant_id, service_number_id, :serviceNumberId || '-' || lpad(number::text, greatest(6, length(number::text)), '0'),
         follow_state, entered_at, last_event_at
       from contact_profile, generate_series(2, :contacts::int) as number where service_number_id = :serviceNumberId
       returning 1) select count(*)::int as count from copied`,
      { serviceNumberId, contacts: CONTACTS },
    );
    expect(copied?.count).to.equal(CONTACTS - 1);
  });

  after(async () => {
    await stack?.stop();
    if (Object.keys(figures).length === 0) return;
    process.stdout.write(`      ${JSON.stringify(figures)}\n`);
    mkdirSync(`${projectFolder}/dist/figures`, { recursive: true });
    writeFileSync(`${projectFolder}/dist/figures/million.json`, `${JSON.stringify(figures, null, 2)}\n`);
  });

  it('is streamed in', async () => {
    const created = await tenant.api.post<SavedAudience>('/audiences', {
      name: 'Everybody',
      serviceNumberId,
      type: 'contacts',
      contactIds: [],
    });
    audienceId = created.audienceId;
    const { token } = await tenant.sandbox.post<{ token: string }>('/sandbox/tokens', {
      sub: 'ada',
      name: 'Ada',
      tenantId: 'vast',
      roles: ['tenant_admin'],
    });
    const response = await timed('upload', () =>
      fetch(`${stack.addresses.bff}/api/v1/audiences/${audienceId}/contacts`, {
        method: 'PUT',
        headers: { 'Content-Type': 'text/csv', Authorization: `Bearer ${token}` },
        body: Readable.toWeb(Readable.from(csv())) as ReadableStream,
        duplex: 'half',
      }),
    );
    expect(await response.json()).to.deep.equal({ memberCount: CONTACTS, duplicates: 0 });
  });

  it('is counted', async () => {
    const preview = await timed('count', () =>
      tenant.api.post<AudiencePreview>('/audiences:preview', {
        serviceNumberId,
        audience: { type: 'contacts', audienceId },
      }),
    );
    expect(preview).to.include({ hitCount: CONTACTS, reachableCount: CONTACTS });
  });

  it('is rehearsed', async () => {
    campaign = await tenant.api.post<Campaign>('/campaigns', {
      name: 'To everybody',
      serviceNumberId,
      messages: [{ type: 'text', text: 'Good morning.' }],
      audience: { type: 'contacts', audienceId },
      schedule: { type: 'immediate' },
    });
    const rehearsed = await timed('dryRun', () => tenant.api.post<DryRun>(`/campaigns/${campaign.id}:dry-run`));
    expect(rehearsed.audienceCount).to.equal(CONTACTS);
    expect(rehearsed.chunks.map(({ contactCount }) => contactCount)).to.deep.equal(Array(SUB_TASKS).fill(1000));
    expect(rehearsed.requests.map(({ audience }) => audience.contactIds[0])).to.deep.equal(
      [0, 1000, 2000].map(contactId),
    );
  });

  it('is frozen and sent as 1,000 sub-tasks of 1,000 contacts, each contact once', async () => {
    const sent = await timed('freeze', () =>
      tenant.api.post<Campaign>(`/campaigns/${campaign.id}:send`, { expectedReachableCount: CONTACTS }),
    );
    expect(sent.status).to.equal('sending');
    await timed('submission', () =>
      eventually(
        'the platform has every sub-task',
        async () => (await tenant.sandbox.get<{ total: number }>('/sandbox/tasks?limit=1')).total === SUB_TASKS,
        { timeoutMs: 60_000, intervalMs: 100 },
      ),
    );
    const submitted = await timed('completion', () =>
      eventually(
        'the campaign is completed',
        async () => {
          const progress = await tenant.api.get<Progress>(`/campaigns/${campaign.id}/progress`);
          const counted = Object.values(progress.subTasks).reduce((sum, { contacts }) => sum + contacts, 0);
          expect(counted, 'contacts of all states').to.equal(CONTACTS);
          return progress.status === 'completed' && progress;
        },
        { timeoutMs: 120_000, intervalMs: 200 },
      ),
    );
    expect(submitted.subTasks).to.deep.equal({ completed: { tasks: SUB_TASKS, contacts: CONTACTS } });
    expect(submitted.summary).to.include({ sent: CONTACTS, delivered: CONTACTS, failed: 0 });
    const calls = await tenant.sandbox.get<{ total: number; items: { status: number }[] }>(
      '/sandbox/calls?route=A1&limit=2000',
    );
    expect(calls.items.filter(({ status }) => status === 201)).to.have.length(SUB_TASKS);
    expect(calls.total).to.equal(SUB_TASKS);
  });

  it('leaves no history above 10,000 events', async () => {
    const lengths = new Map<string, number>();
    for await (const execution of stack.temporal.client.workflow.list()) {
      const { historyLength } = await stack.temporal.client.workflow
        .getHandle(execution.workflowId, execution.runId)
        .describe();
      lengths.set(execution.type, Math.max(historyLength, lengths.get(execution.type) ?? 0));
    }
    expect([...lengths.keys()]).to.include.members(['dispatchCampaign', 'pollTaskStatus']);
    for (const [type, length] of lengths) {
      expect(length, type).to.be.at.most(10_000);
      figures[`${type}Events`] = length;
    }
  });

  it('takes no process above 512 MiB', () => {
    for (const name of ['sandbox', 'backend', 'bff'] as const) {
      figures[`${name}MiB`] = peakMemory(stack.child(name).pid);
      expect(figures[`${name}MiB`], name).to.be.below(512);
    }
  });
});

import type { AudiencePreview } from '../domain/api/audiences.ts';
import type { Campaign, Progress, Results } from '../domain/api/campaign.ts';
import type { SavedAudience } from '../domain/api/audiences.ts';
import { type Database, rows } from '../db/database.ts';
import { type RecordingPlatform, startRecordingPlatform } from '../test/support/doubles/recording-platform.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { installTenant, type TestTenant } from '../test/support/services/tenant.ts';
import { peakMemory } from '../test/support/services/vast-tenant.ts';
import { eventually } from '../test/support/time/eventually.ts';
import { elapsed } from './elapsed.ts';

const waiting = { timeoutMs: 3_600_000, intervalMs: 250 };
const SMALLEST = 4;
const MOST_CLICKS = 1_000_000;
const EVENTS_AT_ONCE = 100_000;

const profiles = `
  insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, entered_at, last_event_at)
  select :tenantId, :serviceNumberId, :serviceNumberId || '-' || lpad(n::text, 9, '0'), 'following', now(), now()
  from generate_series(:from::int, :to::int) as n on conflict do nothing`;

const members = `
  insert into audience_member (audience_id, contact_id)
  select :audienceId, :serviceNumberId || '-' || lpad(n::text, 9, '0') from generate_series(1, :to::int) as n`;

interface Scene {
  stack: Stack;
  tenant: TestTenant;
  owner: Database;
}

/** Profiles up to this number, and a list of all of them: what uploads and events would have stored. */
async function importContacts({ tenant, owner }: Scene, before: number, contacts: number): Promise<string> {
  const { tenantId, serviceNumberId, api } = tenant;
  const name = `The first ${contacts}`;
  const body = { name, serviceNumberId, type: 'contacts', contactIds: [] };
  const { audienceId } = await api.post<SavedAudience>('/audiences', body);
  const bindings = { tenantId, serviceNumberId, audienceId, from: before + 1, to: contacts };
  await rows(owner, profiles, bindings);
  await rows(owner, members, bindings);
  await rows(owner, 'update audience set member_count = :to where audience_id = :audienceId', bindings);
  return audienceId;
}

async function send({ tenant }: Scene, audienceId: string, contacts: number) {
  const { api, serviceNumberId } = tenant;
  const audience = { type: 'contacts', audienceId };
  const [preview, previewSeconds] = await elapsed(() =>
    api.post<AudiencePreview>('/audiences:preview', { serviceNumberId, audience }),
  );
  const { id } = await api.post<Campaign>('/campaigns', {
    name: `To ${contacts}`,
    serviceNumberId,
    messages: [{ type: 'text', text: 'Good morning.' }],
    audience,
    schedule: { type: 'immediate' },
  });
  const expected = { expectedReachableCount: preview.reachableCount };
  const [, sendSeconds] = await elapsed(() => api.post<Campaign>(`/campaigns/${id}:send`, expected));
  const progress = () => api.get<Progress>(`/campaigns/${id}/progress`);
  const [, preparedSeconds] = await elapsed(() =>
    eventually('every contact is in a sub-task', async () => (await progress()).preparing.contacts === 0, waiting),
  );
  const [, completedSeconds] = await elapsed(() =>
    eventually('the campaign is completed', async () => (await progress()).status === 'completed', waiting),
  );
  const sentSeconds = Math.round((sendSeconds + preparedSeconds + completedSeconds) * 10) / 10;
  return { id, previewSeconds, sendSeconds, preparedSeconds, completedSeconds, sentSeconds };
}

const storeClicks = `
  insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, service_number_id, partition, payload,
    occurred_at)
  select i.tenant_integration_id, t.key || ' ' || r.contact_id, i.tenant_id, 'notice.clicked', :serviceNumberId,
    (select partition from event_inbox where tenant_id = i.tenant_id limit 1),
    json_build_object('taskId', t.task_id, 'noticeId', 'n-' || r.contact_id, 'contactId', r.contact_id,
      'serviceNumberId', :serviceNumberId::text, 'clickedAt', now(), 'actionIndex', 0,
      'action', json_build_object('type', 'Postback', 'label', 'x', 'data', null))::text, now()
  from (select contact_id, chunk, dispatch_id from dispatch_recipient
      where dispatch_id = (select dispatch_id from dispatch where campaign_id = :campaignId)
      order by contact_id offset :offset::int limit :limit::int) r
    join broadcast_task t on t.dispatch_id = r.dispatch_id and t.chunk = r.chunk
    cross join tenant_integration i where i.tenant_id = :tenantId`;

/** Clicks as if they had been received, from the first of them stored to the last of them counted. */
async function click({ tenant, owner }: Scene, campaignId: string, clicks: number): Promise<number> {
  const { tenantId, serviceNumberId, api } = tenant;
  const [, seconds] = await elapsed(async () => {
    for (let offset = 0; offset < clicks; offset += EVENTS_AT_ONCE) {
      const limit = Math.min(EVENTS_AT_ONCE, clicks - offset);
      await rows(owner, storeClicks, { tenantId, serviceNumberId, campaignId, offset, limit });
    }
    await eventually(
      'every click is counted',
      async () => (await api.get<Results>(`/campaigns/${campaignId}/results`)).clicks.uniqueContacts === clicks,
      waiting,
    );
  });
  return seconds;
}

async function longestHistory({ stack }: Scene): Promise<number> {
  let longest = 0;
  for await (const { workflowId, runId } of stack.temporal.client.workflow.list()) {
    const { historyLength } = await stack.temporal.client.workflow.getHandle(workflowId, runId).describe();
    longest = Math.max(longest, historyLength);
  }
  return longest;
}

/** The platform accepts at once, completes at once, and remembers sizes alone. */
async function startPlatform(): Promise<RecordingPlatform> {
  const platform = await startRecordingPlatform();
  platform.behave(() => {
    platform.calls.length = 0;
    return null;
  });
  return platform;
}

type Step = Record<
  | 'contacts'
  | 'importSeconds'
  | 'previewSeconds'
  | 'sendSeconds'
  | 'preparedSeconds'
  | 'completedSeconds'
  | 'sentSeconds'
  | 'clicks'
  | 'clickSeconds'
  | 'backendMiB'
  | 'bffMiB'
  | 'longestHistory',
  number
>;

async function grow(scene: Scene, largest: number) {
  const { stack, owner } = scene;
  const steps: Step[] = [];
  for (let power = SMALLEST; power <= largest; power += 1) {
    const contacts = 10 ** power;
    const before = power === SMALLEST ? 1 : contacts / 10;
    const [audienceId, importSeconds] = await elapsed(() => importContacts(scene, before, contacts));
    await rows(owner, 'analyze contact_profile, audience_member', {});
    const { id, ...times } = await send(scene, audienceId, contacts);
    const clicks = Math.min(MOST_CLICKS, contacts / 10);
    const clickSeconds = await click(scene, id, clicks);
    const memory = (name: 'backend' | 'bff') => peakMemory(stack.child(name).pid);
    const step = { contacts, importSeconds, ...times, clicks, clickSeconds };
    steps.push({
      ...step,
      backendMiB: memory('backend'),
      bffMiB: memory('bff'),
      longestHistory: await longestHistory(scene),
    });
    console.log(JSON.stringify(steps.at(-1)));
  }
  const exponent = (name: 'previewSeconds' | 'sentSeconds') => {
    const [first, last] = [steps[0], steps.at(-1)];
    if (!first || !last || first === last) return null;
    return Math.log10(last[name] / first[name]) / Math.log10(last.contacts / first.contacts);
  };
  return { steps, exponents: { preview: exponent('previewSeconds'), sent: exponent('sentSeconds') } };
}

/**
 * A send from 10,000 contacts to 10^`largest` (by default 10,000,000): seconds per step, memory in MiB, events of the
 * longest history, and the exponent by which the time grows with the contacts.
 */
export async function growth({ largest = 7 }: Record<string, number>) {
  const platform = await startPlatform();
  const env = { PLATFORM_CALLS_PER_SECOND: '10000', PLATFORM_BASE_URL: platform.baseUrl };
  const stack = await startStack({ services: ['sandbox', 'backend', 'bff'], env });
  try {
    const tenant = await installTenant(stack, { tenantId: 'vast', serviceNumberId: 'sn-vast', contacts: 1 });
    return await grow({ stack, tenant, owner: stack.database.connect('outreach', 'owner') }, largest);
  } finally {
    await stack.stop();
    await platform.close();
  }
}

import type { AudiencePreview } from '#domain/api/audiences.ts';
import type { Campaign, Progress, Results } from '#domain/api/campaign.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { Database } from '#db/database.ts';
import { type RecordingPlatform, startRecordingPlatform } from '#test/support/doubles/recording-platform.ts';
import { type Stack, startStack } from '#test/support/services/stack.ts';
import { installTenant, type TestTenant } from '#test/support/services/tenant.ts';
import { peakMemory } from '#test/support/services/vast-tenant.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { elapsed } from '../elapsed.ts';
import { storeClicks } from './clicks.ts';
import { importContacts } from './contacts.ts';

const waiting = { timeoutMs: 3_600_000, intervalMs: 100 };
const SMALLEST = 4;

interface Scene {
  stack: Stack;
  tenant: TestTenant;
  owner: Database;
  /** Everybody has it: a list that is uploaded ends at 1,000,000 contacts. */
  tagId: string;
}

const messages = [
  {
    type: 'buttons',
    title: 'Spring',
    text: 'New arrivals',
    actions: [{ type: 'Postback', label: 'Buy', data: { bizEventCode: 'buy' } }],
  },
];

export async function send({ tenant, tagId }: Scene, contacts: number) {
  const { api, serviceNumberId } = tenant;
  const audience = { type: 'app_tags', appTagIds: [tagId], tagOperator: 'OR' };
  const [{ reachableCount }, previewSeconds] = await elapsed(() =>
    api.post<AudiencePreview>('/audiences:preview', { serviceNumberId, audience }),
  );
  if (reachableCount !== contacts) throw new Error(`The audience reaches ${reachableCount} of ${contacts} contacts`);
  const campaign = { name: `To ${contacts}`, serviceNumberId, messages, audience, schedule: { type: 'immediate' } };
  const { id } = await api.post<Campaign>('/campaigns', campaign);
  const progress = () => api.get<Progress>(`/campaigns/${id}/progress`);
  const [times, sentSeconds] = await elapsed(async () => {
    const expected = { expectedReachableCount: reachableCount };
    const [, sendSeconds] = await elapsed(() => api.post<Campaign>(`/campaigns/${id}:send`, expected));
    const [, preparedSeconds] = await elapsed(() =>
      eventually('every contact is in a sub-task', async () => (await progress()).preparing.contacts === 0, waiting),
    );
    const [, completedSeconds] = await elapsed(() =>
      eventually('the campaign is completed', async () => (await progress()).status === 'completed', waiting),
    );
    return { sendSeconds, preparedSeconds, completedSeconds };
  });
  const { summary } = await progress();
  if (summary?.sent !== contacts) throw new Error(`The campaign was sent to ${summary?.sent} of ${contacts} contacts`);
  return { id, previewSeconds, ...times, sentSeconds };
}

/** From the first click stored to the last one counted, and one look at the results. */
export async function click({ stack, tenant, tagId }: Scene, campaignId: string, contacts: number) {
  const { tenantId, serviceNumberId, api } = tenant;
  const clicks = contacts / 10;
  const results = () => elapsed(() => api.get<Results>(`/campaigns/${campaignId}/results`));
  const [storeSeconds, clickSeconds] = await elapsed(async () => {
    const sent = { tenantId, serviceNumberId, tagId, campaignId, contacts };
    const [, seconds] = await elapsed(() => storeClicks(stack, sent, clicks));
    const counted = async () => (await results())[0].clicks.uniqueContacts === clicks;
    await eventually('every click is counted', counted, waiting);
    return seconds;
  });
  const [, resultsSeconds] = await results();
  return { clicks, storeSeconds, clickSeconds, resultsSeconds };
}

async function longestHistory({ temporal }: Stack): Promise<number> {
  let longest = 0;
  for await (const { workflowId, runId } of temporal.client.workflow.list()) {
    const { historyLength } = await temporal.client.workflow.getHandle(workflowId, runId).describe();
    longest = Math.max(longest, historyLength);
  }
  return longest;
}

/** The platform accepts at once, completes at once, and remembers sizes alone. */
export async function startPlatform(): Promise<RecordingPlatform> {
  const platform = await startRecordingPlatform();
  platform.behave(() => {
    platform.calls.length = 0;
    return null;
  });
  return platform;
}

async function grow(scene: Scene, power: number) {
  const { stack, tenant, owner, tagId } = scene;
  const contacts = 10 ** power;
  const first = power === SMALLEST ? 1 : contacts / 10 + 1;
  const [, importSeconds] = await elapsed(() => importContacts(owner, { ...tenant, tagId }, first, contacts));
  const { id, ...times } = await send(scene, contacts);
  const clicked = await click(scene, id, contacts);
  const memory = (name: 'backend' | 'bff') => peakMemory(stack.child(name).pid);
  return {
    contacts,
    importSeconds,
    ...times,
    ...clicked,
    backendMiB: memory('backend'),
    bffMiB: memory('bff'),
    longestHistory: await longestHistory(stack),
  };
}

type Step = Awaited<ReturnType<typeof grow>>;

/** By which power of the contacts the time grows: 1 if ten times as many take ten times as long. */
function exponents(from: Step | undefined, to: Step | undefined) {
  if (!from || !to || from === to) return null;
  const of = (name: 'previewSeconds' | 'sentSeconds' | 'clickSeconds') =>
    Math.round((Math.log10(to[name] / from[name]) / Math.log10(to.contacts / from.contacts)) * 100) / 100;
  return { preview: of('previewSeconds'), sent: of('sentSeconds'), clicks: of('clickSeconds') };
}

export async function createScene(stack: Stack): Promise<Scene> {
  const tenant = await installTenant(stack, { tenantId: 'vast', serviceNumberId: 'sn-vast', contacts: 1 });
  const tag = { name: 'Everybody', serviceNumberId: tenant.serviceNumberId, kind: 'permanent' };
  const { tagId } = await tenant.api.post<Tag>('/tags', tag);
  return { stack, tenant, tagId, owner: stack.database.connect('outreach', 'owner') };
}

/**
 * A send to a tag of 10,000 to 10^`largest` contacts (by default 10,000,000), of whom one in ten clicks: seconds per
 * step, memory in MiB, events of the longest history, and the exponents by which the time grows with the contacts.
 */
export async function growth({ largest = 7 }: Partial<Record<'largest', number>>) {
  const platform = await startPlatform();
  const env = { PLATFORM_CALLS_PER_SECOND: '10000', PLATFORM_BASE_URL: platform.baseUrl };
  const stack = await startStack({ services: ['sandbox', 'backend', 'bff'], env });
  try {
    const scene = await createScene(stack);
    const steps: Step[] = [];
    for (let power = SMALLEST; power <= largest; power += 1) {
      steps.push(await grow(scene, power));
      process.stdout.write(`${JSON.stringify(steps.at(-1))}\n`);
    }
    return { steps, exponents: exponents(steps[0], steps.at(-1)), lastTenfold: exponents(steps.at(-2), steps.at(-1)) };
  } finally {
    await stack.stop();
    await platform.close();
  }
}

import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';
import { until, untilAccepted } from './patience.ts';

const { serviceNumberId } = tenant;
const DAY_MS = 86_400_000;
/** Long enough to watch, and for every figure in between. */
const SLOW_SEND_MS = 2 * 3_600_000;

export interface CampaignStatesSeed {
  api: JsonClient;
  sandbox: JsonClient;
}

interface State {
  name: string;
  text: string;
  /** What the platform does to its submissions. */
  fault?: { mode: 'status' | 'lost-answer'; status?: number; code?: string; skip?: number; count?: number };
  /** To more than 1,000 contacts, so that its sub-tasks can differ. */
  isLarge?: boolean;
  schedule?: object;
  /** What an operator does once it was sent. */
  afterwards?(seed: CampaignStatesSeed, id: string): Promise<void>;
}

const subTasksOf = async ({ api }: CampaignStatesSeed, id: string): Promise<SubTask[]> =>
  (await api.get<Page<SubTask>>(`/campaigns/${id}/tasks?limit=200`)).items;

/** One sub-task is at the platform, and the other waits. */
const halfSubmitted = (seed: CampaignStatesSeed, id: string) =>
  until('half of a campaign is submitted', async () => {
    const tasks = await subTasksOf(seed, id);
    return tasks.some(({ taskId }) => taskId !== null) && tasks.some(({ status }) => status === 'pending');
  });

async function act({ api }: CampaignStatesSeed, id: string, action: 'pause' | 'cancel' | 'close'): Promise<void> {
  await api.post(`/campaigns/${id}:${action}`);
}

/** The platform is asked again and again for what waits, and a call under way cannot be paused. */
const pause = (seed: CampaignStatesSeed, id: string): Promise<void> =>
  untilAccepted('a campaign is paused', () => act(seed, id, 'pause'), 409);

const busy = { mode: 'status', status: 500, code: 'busy', skip: 1 } as const;
const unsuitable = { mode: 'status', status: 422, code: 'message_rejected' } as const;

/** The operator cancels while nobody knows that the platform has already sent everything. */
async function cancelTooLate(seed: CampaignStatesSeed, id: string): Promise<void> {
  const unknown = async () => (await subTasksOf(seed, id)).find(({ status }) => status === 'unknown');
  await until('the response to a submission is lost', async () => (await unknown()) !== undefined);
  const { name } = await seed.api.get<Campaign>(`/campaigns/${id}`);
  await act(seed, id, 'cancel');
  const path = `/sandbox/tasks?serviceNumberId=${serviceNumberId}&limit=1000`;
  const { items } = await seed.sandbox.get<{ items: { name: string; taskId: string; status: string }[] }>(path);
  const task = items.find((one) => one.name === name);
  const key = (await unknown())?.key;
  if (task && key)
    await seed.api.post(`/campaigns/${id}/tasks/${key}:resolve`, { outcome: 'sent', taskId: task.taskId });
}

/** Every state that a campaign can stay in, beside draft, scheduled, completed (in other files) and sending. */
const states: State[] = [
  {
    name: 'Oat milk week',
    text: 'Every drink with oat milk costs what it costs without.',
    isLarge: true,
    fault: busy,
    async afterwards(seed, id) {
      await halfSubmitted(seed, id);
      await pause(seed, id);
    },
  },
  {
    name: 'Late harvest',
    text: 'The last crop of the year has arrived.',
    isLarge: true,
    fault: busy,
    async afterwards(seed, id) {
      await halfSubmitted(seed, id);
      await act(seed, id, 'cancel');
    },
  },
  {
    name: 'Roastery tour',
    text: 'See where your coffee comes from: Saturday at ten.',
    isLarge: true,
    fault: { mode: 'lost-answer', skip: 1, count: 1 },
    afterwards: (seed, id) =>
      until('a sub-task is unknown', async () =>
        (await subTasksOf(seed, id)).some(({ status }) => status === 'unknown'),
      ),
  },
  {
    name: 'Holiday hours',
    text: 'We open at nine on holidays.',
    isLarge: true,
    fault: { ...unsuitable, count: 1 },
  },
  { name: 'Loyalty card', text: 'Ten stamps, one coffee.', fault: unsuitable },
  {
    name: 'Lunch set',
    text: 'Soup, bread and a filter coffee.',
    fault: { mode: 'lost-answer', count: 1 },
    afterwards: cancelTooLate,
  },
  {
    name: 'Cold brew day',
    text: 'A bottle of cold brew for each guest.',
    schedule: { type: 'scheduled', at: new Date(Date.now() + 3 * DAY_MS).toISOString() },
    afterwards: (seed, id) => act(seed, id, 'cancel'),
  },
  {
    name: 'Summer cups',
    text: 'Bring your own cup and save five dollars.',
    async afterwards(seed, id) {
      await until('a campaign is complete', async () => {
        const { status } = await seed.api.get<Campaign>(`/campaigns/${id}`);
        return status === 'completed';
      });
      await act(seed, id, 'close');
    },
  },
];

const slow: State = { name: 'Morning offer', text: 'A croissant with every flat white until ten.', isLarge: true };

/** Of the campaigns that are sent at once. */
export const stateNames = states.map(({ name }) => name);

/** What the sandbox's platform does meanwhile. */
export const campaignFaults = states.flatMap(({ name, fault }) =>
  fault ? [{ ...fault, route: 'A1', bodyIncludes: name }] : [],
);

/** How fast it sends the campaign that is being sent. */
export const slowPace = { nameIncludes: slow.name, startDelayMs: 0, sendDurationMs: SLOW_SEND_MS };

function audienceOf({ isLarge }: State, [, oatMilk, lapsed]: Tag[]) {
  if (!oatMilk || !lapsed) throw new Error('the demonstration needs its three tags');
  const appTagIds = isLarge ? [oatMilk.tagId, lapsed.tagId] : [lapsed.tagId];
  return { type: 'app_tags', appTagIds, tagOperator: 'OR' };
}

/** Creates and sends a campaign. @returns its id; null if an earlier start has already sent it. */
async function send({ api }: CampaignStatesSeed, state: State, tags: Tag[]): Promise<string | null> {
  const { name, text, schedule = { type: 'immediate' } } = state;
  const { items } = await api.get<Page<Campaign>>(`/campaigns?q=${encodeURIComponent(name)}`);
  const existing = items.find((campaign) => campaign.name === name);
  if (existing && existing.status !== 'draft') return null;
  const actions = [{ type: 'Url', label: 'Find us', url: 'https://harbor-coffee.example/news' }];
  const messages = [{ type: 'buttons', title: name, text, actions }];
  const body = { name, serviceNumberId, messages, audience: audienceOf(state, tags), schedule };
  const { id } = existing ?? (await api.post<Campaign>('/campaigns', body));
  await api.post(`/campaigns/${id}:send`, {});
  return id;
}

/** A campaign that is being sent: the platform takes hours for it. */
export async function seedSlowCampaign(seed: CampaignStatesSeed, tags: Tag[]): Promise<void> {
  const { sandbox } = seed;
  const id = await send(seed, slow, tags);
  if (id === null) return;
  await until('the slow campaign is sent', async () => {
    const { items } = await sandbox.get<{ items: { name: string; status: string }[] }>('/sandbox/tasks?limit=1000');
    const begun = items.filter(({ name, status }) => name === slow.name && status === 'sending');
    return begun.length > 0 && begun.length === (await subTasksOf(seed, id)).length;
  });
}

/**
 * A campaign in each other state that lasts: paused, with an unknown sub-task, failed wholly and partly, cancelled
 * before, during and after its send, and closed. The sandbox's platform makes the trouble. Not `preparing`: it is over
 * as soon as the audience is divided into sub-tasks.
 */
export async function seedCampaignStates(seed: CampaignStatesSeed, tags: Tag[]): Promise<void> {
  await Promise.all(
    states.map(async (state) => {
      const id = await send(seed, state, tags);
      if (id !== null) await state.afterwards?.(seed, id);
    }),
  );
  await until('each submission has had its trouble', async () => {
    const { items } = await seed.api.get<Page<Campaign>>('/campaigns?status=sending&limit=200');
    const failing = new Set(states.flatMap(({ name, fault, afterwards }) => (fault && !afterwards ? [name] : [])));
    return !items.some(({ name }) => failing.has(name));
  });
}

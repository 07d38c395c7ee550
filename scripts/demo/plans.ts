import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Rule } from '#domain/api/rules.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';

const { serviceNumberId } = tenant;
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** Finds the object with this name in a list, or creates it. */
export async function named<Item extends { name: string }>(
  api: JsonClient,
  path: string,
  body: { name: string } & Record<string, unknown>,
): Promise<Item> {
  const { items } = await api.get<Page<Item>>(`${path}?serviceNumberId=${serviceNumberId}&limit=200`);
  return items.find(({ name }) => name === body.name) ?? api.post<Item>(path, body);
}

/** Smart tags and the rules that assign them, created before the first click. */
export async function seedRules(api: JsonClient): Promise<void> {
  const interested = await named<Tag>(api, '/tags', {
    name: 'Interested',
    serviceNumberId,
    kind: 'permanent',
    color: '#1d4ed8',
  });
  const weekend = await named<Tag>(api, '/tags', {
    name: 'Tasting guests',
    serviceNumberId,
    kind: 'temporary',
    color: '#7e22ce',
    expiresAt: inDays(10),
  });
  const code = (value: string) => ({ field: 'bizEventCode', op: 'eq', value });
  const rules = [
    {
      name: 'Claimed the coupon',
      triggerEvent: 'notice.clicked',
      matchCondition: code('coupon-claimed'),
      targetTagId: interested.tagId,
    },
    {
      name: 'Wants a seat',
      triggerEvent: 'notice.clicked',
      matchCondition: {
        any: [code('seat-wanted'), { all: [code('seat-changed'), { field: 'actionIndex', op: 'lt', value: 2 }] }],
      },
      targetTagId: weekend.tagId,
    },
  ];
  for (const rule of rules) await named<Rule>(api, '/smart-tag-rules', { ...rule, status: 'active' });
}

/** The draft whose picture is smaller than it should be. */
export const drafted = 'Winter menu';

/** Two saved audiences, a draft, and campaigns scheduled for the next days: one chooses its audience only then. */
export async function seedPlans(
  api: JsonClient,
  { tags, contactIds, picture }: { tags: Tag[]; contactIds: string[]; picture: string | null },
): Promise<void> {
  const [regulars, oatMilk, lapsed] = tags;
  if (!regulars || !oatMilk || !lapsed) throw new Error('the demonstration needs its three tags');
  await named<SavedAudience>(api, '/audiences', {
    name: 'Founding members',
    serviceNumberId,
    type: 'contacts',
    contactIds: contactIds.slice(0, 120),
  });
  const loyal = {
    type: 'app_tags',
    appTagIds: [regulars.tagId, oatMilk.tagId],
    tagOperator: 'AND',
    excludeTagIds: [lapsed.tagId],
  };
  await named<SavedAudience>(api, '/audiences', { name: 'Regulars with oat milk', serviceNumberId, ...loyal });
  const card = (title: string, text: string, label: string, image: string | null = null) => [
    {
      type: 'buttons',
      title,
      text,
      ...(image && { image }),
      actions: [{ type: 'Url', label, url: 'https://harbor-coffee.example/winter' }],
    },
  ];
  const draft = { serviceNumberId, audience: loyal, schedule: { type: 'immediate' } };
  await named<Campaign>(api, '/campaigns', {
    ...draft,
    name: drafted,
    messages: card('Winter menu', 'Cinnamon is back, and so is the long table by the window.', 'See the menu', picture),
  });
  const evening = await named<Campaign>(api, '/campaigns', {
    ...draft,
    name: 'Music on Friday',
    messages: card(
      'Music on Friday',
      'A trio plays from seven. Tables by the stage are for whoever asks first.',
      'Reserve',
    ),
    schedule: { type: 'scheduled', at: inDays(6), audience: 'at_start' },
  });
  const planned = await named<Campaign>(api, '/campaigns', {
    ...draft,
    name: 'First Sunday of Advent',
    messages: card('Open on Sunday', 'We open at eight, with candles and carols.', 'Find us'),
    schedule: { type: 'scheduled', at: inDays(4) },
  });
  for (const { id, status } of [evening, planned]) if (status === 'draft') await api.post(`/campaigns/${id}:send`, {});
  await seedPacedCampaign(api, loyal);
}

/** A campaign that is sent at a pace, over days, and keeps the rest back at its deadline. */
async function seedPacedCampaign(api: JsonClient, audience: object): Promise<void> {
  const { id, status } = await named<Campaign>(api, '/campaigns', {
    serviceNumberId,
    audience,
    schedule: { type: 'immediate' },
    name: 'Tell us what you would like',
    messages: [
      {
        type: 'buttons',
        title: 'Three questions',
        text: 'Two minutes of yours shape the spring menu.',
        actions: [{ type: 'Url', label: 'Answer', url: 'https://harbor-coffee.example/winter' }],
      },
    ],
    pace: {
      perMinute: 10,
      quietHours: { from: '21:00', to: '08:00', zone: 'Asia/Taipei' },
      deadline: inDays(2),
    },
  });
  if (status === 'draft') await api.post(`/campaigns/${id}:send`, {});
}

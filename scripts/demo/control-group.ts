import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';
import { until } from './patience.ts';
import { named } from './plans.ts';

const { tenantId, serviceNumberId } = tenant;
const AT_ONCE = 25;

export const breakfast = {
  name: 'Breakfast from seven',
  serviceNumberId,
  messages: [
    {
      type: 'buttons',
      title: 'Breakfast from seven',
      text: 'Porridge, a soft egg and the first filter of the day.',
      actions: [{ type: 'Url', label: 'See the menu', url: 'https://harbor-coffee.example/breakfast' }],
    },
  ],
  schedule: { type: 'immediate' },
  holdoutPercent: 30,
};

/** What customers do anyway, and what the message makes them do, in percent. */
const habits = {
  bought: { sent: 24, control: 17 },
  // So few that nothing can be said about it.
  conversed: { sent: 4, control: 2 },
} as const;

/** The same share of contacts in every start. */
export const someOf = (contacts: string[], percent: number) =>
  contacts.filter((_, index) => (index * 7919) % 100 < percent);

async function contactsSentTo(api: JsonClient, id: string): Promise<Set<string>> {
  const sent = new Set<string>();
  const tasks = await api.get<Page<SubTask>>(`/campaigns/${id}/tasks?limit=200`);
  for (const { key } of tasks.items)
    for (let cursor = ''; ;) {
      const path = `/campaigns/${id}/tasks/${key}/contacts?limit=200${cursor}`;
      const { items, nextCursor } = await api.get<Page<{ contactId: string }>>(path);
      for (const { contactId } of items) sent.add(contactId);
      if (!nextCursor) break;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
  return sent;
}

/** A conversation that no campaign led to. */
const converse = (sandbox: JsonClient, contactId: string) =>
  sandbox.post('/sandbox/webhooks', {
    tenant: tenantId,
    serviceNumberId,
    eventType: 'session.created',
    eventId: `breakfast-${contactId}`,
    data: { sessionId: `breakfast-${contactId}`, contactId, serviceNumberId, channel: 'default' },
  });

/**
 * A campaign to the regulars that holds some of them back, and what both did since: of those sent to more bought
 * something, and few of either opened a conversation. The till gives buyers a tag.
 */
export async function seedControlGroup(
  { api, sandbox }: { api: JsonClient; sandbox: JsonClient },
  regulars: { tag: Tag; contactIds: string[] },
): Promise<void> {
  const audience = { type: 'app_tags', appTagIds: [regulars.tag.tagId], tagOperator: 'OR' };
  const campaign = await named<Campaign>(api, '/campaigns', { ...breakfast, audience });
  const bought = await named<Tag>(api, '/tags', {
    name: 'Bought breakfast',
    serviceNumberId,
    kind: 'permanent',
    color: '#4d7c0f',
  });
  if (bought.contactCount > 0) return;
  if (campaign.status === 'draft') {
    // What it forecasts is beside what the send took, in its progress.
    await api.post(`/campaigns/${campaign.id}:dry-run`);
    await api.post(`/campaigns/${campaign.id}:send`, {});
  }
  await until('the campaign with a control group is sent', async () => {
    const { status } = await api.get<Campaign>(`/campaigns/${campaign.id}`);
    return status === 'completed';
  });
  const isSent = await contactsSentTo(api, campaign.id);
  const arms = {
    sent: regulars.contactIds.filter((one) => isSent.has(one)),
    control: regulars.contactIds.filter((one) => !isSent.has(one)),
  };
  const doing = (habit: keyof typeof habits) =>
    (['sent', 'control'] as const).flatMap((arm) => someOf(arms[arm], habits[habit][arm]));
  const conversing = doing('conversed');
  while (conversing.length > 0)
    await Promise.all(conversing.splice(0, AT_ONCE).map((contactId) => converse(sandbox, contactId)));
  await api.post(`/tags/${bought.tagId}/assignments`, { contactIds: doing('bought') });
}

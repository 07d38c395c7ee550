import type { CampaignStep } from '#domain/api/campaign-steps.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { rows } from '#db/database.ts';
import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';
import { inDatabase } from './database.ts';
import { until } from './patience.ts';

export const cupping = 'Tickets for the cupping';
const { serviceNumberId } = tenant;

const card = (title: string, text: string) => ({
  type: 'buttons',
  title,
  text,
  actions: [{ type: 'Postback', label: 'Keep me a seat', data: { bizEventCode: 'cupping_seat' } }],
});

/** As if the campaign had been submitted three hours ago, and nobody had looked since. */
function moveBack(databaseUrl: string, campaignId: string): Promise<void> {
  return inDatabase(databaseUrl, async (database) => {
    await rows(
      database,
      `update broadcast_task set submitted_at = submitted_at - interval '3 hours',
         started_at = started_at - interval '3 hours' where campaign_id = :campaignId`,
      { campaignId },
    );
    await rows(
      database,
      `update campaign_step set next_look_at = now() - interval '1 minute'
       where campaign_id = :campaignId and next_look_at is not null`,
      { campaignId },
    );
  });
}

/** A campaign with two messages that follow: the first was sent to those who did not click, the second waits for its time. */
export async function seedSteps(
  { api, sandbox, databaseUrl }: { api: JsonClient; sandbox: JsonClient; databaseUrl: string },
  tag: Tag,
): Promise<void> {
  const { items } = await api.get<Page<Campaign>>(`/campaigns?q=${encodeURIComponent(cupping)}`);
  if (items.length > 0) return;
  const { id } = await api.post<Campaign>('/campaigns', {
    name: cupping,
    serviceNumberId,
    messages: [card('A cupping at the roastery', 'Six coffees, eight seats.')],
    audience: { type: 'app_tags', appTagIds: [tag.tagId], tagOperator: 'OR' },
    schedule: { type: 'immediate' },
    steps: [
      {
        after: { amount: 2, unit: 'hours' },
        condition: { outcome: 'not_clicked' },
        messages: [card('Two seats left', 'The cupping is tomorrow.')],
      },
      {
        after: { amount: 3, unit: 'days' },
        condition: { outcome: 'clicked' },
        messages: [card('How was it?', 'Tell us which coffee you liked.')],
      },
    ],
  });
  await api.post(`/campaigns/${id}:send`);
  const isOver = (of: string) => async () => (await api.get<Campaign>(`/campaigns/${of}`)).status === 'completed';
  await until('the campaign with steps is over', isOver(id));
  const tasks = await api.get<Page<{ taskId: string }>>(`/campaigns/${id}/tasks?limit=200`);
  const [task] = tasks.items;
  const { contactIds } = await sandbox.get<{ contactIds: string[] }>(`/sandbox/tasks/${task?.taskId}`);
  // Whom the platform has not delivered to has nothing to press.
  for (const contactId of contactIds.slice(0, 40))
    await sandbox.post('/sandbox/clicks', { taskId: task?.taskId, contactId }).catch(() => undefined);
  await moveBack(databaseUrl, id);
  await until('the first step was sent', async () => {
    const { items: steps } = await api.get<{ items: CampaignStep[] }>(`/campaigns/${id}/steps`);
    return steps[0]?.campaignStatus === 'completed';
  });
}

import type { Campaign } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Repeat, RepeatRun } from '#domain/api/repeats.ts';
import type { Tag } from '#domain/api/tags.ts';
import { rows } from '#db/database.ts';
import type { JsonClient } from './client.ts';
import { messages, tenant } from './content.ts';
import { inDatabase } from './database.ts';
import { until } from './patience.ts';
import { named } from './plans.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const zone = 'Asia/Taipei';

/** What its runs are called, with their time. */
export const welcome = 'Welcome of the day';

const { serviceNumberId } = tenant;

/** As if it had been made two days ago, and the services had been away since. */
function moveBack(databaseUrl: string, repeatId: string, first: Date): Promise<void> {
  return inDatabase(databaseUrl, async (database) => {
    await rows(database, 'update campaign_repeat set next_at = :first where repeat_id = :repeatId', {
      first,
      repeatId,
    });
  });
}

/** The sweep begins what is overdue. */
const waitForSend = (api: JsonClient, repeatId: string): Promise<void> =>
  until('the repeat has sent', async () => {
    const { items } = await api.get<Page<RepeatRun>>(`/repeats/${repeatId}/runs`);
    return items.some(({ campaignStatus }) => campaignStatus === 'completed');
  });

/** A draft that is sent every day, to those whom it has not reached yet: one run was missed, one was sent. */
export async function seedRepeat(
  { api, databaseUrl }: { api: JsonClient; databaseUrl: string },
  tag: Tag,
): Promise<void> {
  const { items } = await api.get<Page<Repeat>>(`/repeats?serviceNumberId=${serviceNumberId}`);
  if (items.length > 0) return;
  const template = await named<Campaign>(api, '/campaigns', {
    name: 'Welcome to the harbor',
    serviceNumberId,
    messages,
    audience: { type: 'app_tags', appTagIds: [tag.tagId], tagOperator: 'OR' },
    schedule: { type: 'immediate' },
  });
  const due = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS);
  const at = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(due);
  const { repeatId } = await api.post<Repeat>('/repeats', {
    name: welcome,
    campaignId: template.id,
    calendar: { type: 'daily', at },
    zone,
    skipReached: true,
  });
  await moveBack(databaseUrl, repeatId, new Date(due.getTime() - DAY_MS));
  await waitForSend(api, repeatId);
}

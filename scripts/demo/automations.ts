import type { Automation } from '#domain/api/automations.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';
import { until } from './patience.ts';
import { cupping } from './steps.ts';

const { serviceNumberId } = tenant;

const card = (title: string, text: string, label: string, bizEventCode: string) => ({
  type: 'buttons',
  title,
  text,
  actions: [{ type: 'Postback', label, data: { event: 'InboundReason', bizEventCode } }],
});

/** Begins one, has the platform tell what brings contacts in, and waits until so many have entered. */
async function begin(
  api: JsonClient,
  { path, body, cause, entries }: { path: string; body: object; cause: () => Promise<unknown>; entries: number },
): Promise<void> {
  const { automationId } = await api.post<Automation>(path, body);
  await api.post(`${path}/${automationId}:activate`);
  await cause();
  await until('contacts have entered an automation', async () => {
    const { counts } = await api.get<Automation>(`${path}/${automationId}`);
    return counts.entered >= entries;
  });
}

/** A welcome to new followers, and a question to those who clicked a campaign and did not talk; both run. */
export async function seedAutomations(
  { api, sandbox }: { api: JsonClient; sandbox: JsonClient },
  contactIds: string[],
): Promise<void> {
  const path = '/automations';
  const { items } = await api.get<Page<Automation>>(`${path}?serviceNumberId=${serviceNumberId}`);
  if (items.length > 0) return;
  const followers = contactIds.slice(10, 16);
  await begin(api, {
    path,
    body: {
      name: 'Welcome to new followers',
      serviceNumberId,
      trigger: { event: 'contact.followed' },
      entry: { afterDays: 90 },
      steps: [
        { messages: [card('Welcome aboard', 'Your first cup is on us.', 'Get the voucher', 'voucher-wanted')] },
        {
          messages: [card('Still thirsty?', 'The voucher is yours until Sunday.', 'Get the voucher', 'voucher-wanted')],
          delay: { minutes: 2880 },
          if: 'not_clicked',
        },
      ],
    },
    cause: () => sandbox.post('/sandbox/contacts:act', { serviceNumberId, action: 'follow', contactIds: followers }),
    entries: followers.length,
  });

  const sent = await api.get<Page<Campaign>>(`/campaigns?q=${encodeURIComponent(cupping)}`);
  const id = sent.items.find(({ name }) => name === cupping)?.id ?? '';
  const tasks = await api.get<Page<{ taskId: string }>>(`/campaigns/${id}/tasks?limit=1`);
  const taskId = tasks.items[0]?.taskId ?? '';
  const reached = await sandbox.get<{ contactIds: string[] }>(`/sandbox/tasks/${taskId}`);
  await begin(api, {
    path,
    body: {
      name: 'Clicked, but did not talk to us',
      serviceNumberId,
      trigger: { event: 'notice.clicked', campaignIds: [id] },
      filter: { not: { conversed: { campaignIds: [id] } } },
      delay: { minutes: 60 },
      steps: [{ messages: [card('Any question?', 'Our baristas are here until six.', 'Ask', 'question')] }],
    },
    // Whom the platform has not delivered to has nothing to press.
    cause: () =>
      Promise.all(
        reached.contactIds
          .slice(40, 60)
          .map((contactId) => sandbox.post('/sandbox/clicks', { taskId, contactId }).catch(() => undefined)),
      ),
    entries: 1,
  });
}

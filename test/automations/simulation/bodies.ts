import { automationBodySchema } from '#domain/api/automations.ts';
import { card } from '#test/support/outreach/variant-sends.ts';

export const serviceNumberId = 'sn-1';

/** What the automations ask for. */
export interface Tags {
  /** Whoever gets it enters. */
  interested: string;
  /** Whoever has it gets nothing further. */
  leaving: string;
}

const DAY_MINUTES = 24 * 60;
const later = (title: string, minutes: number, condition?: string) => ({
  messages: [card(title)],
  delay: { minutes },
  ...(condition === undefined ? {} : { if: condition }),
});

/** Five automations of a tenant; `scale` is how many contacts there are for each of the limit of the third. */
export function bodiesOf({ interested, leaving }: Tags, { contacts, endsAt }: { contacts: number; endsAt: Date }) {
  const given = [
    {
      name: 'Welcome',
      trigger: { event: 'contact.followed' },
      holdoutPercent: 20,
      quietHours: { from: '22:00', to: '08:00', zone: 'Asia/Taipei' },
      steps: [
        { messages: [card('Welcome')] },
        later('Welcome again', DAY_MINUTES, 'not_clicked'),
        later('Welcome at last', 2 * DAY_MINUTES),
      ],
    },
    {
      name: 'Interested',
      trigger: { event: 'tag.assigned', tagId: interested },
      filter: { profile: { field: 'language', test: { op: 'in', values: ['en', 'zh'] } } },
      entry: { afterDays: 7 },
      delay: { minutes: 90 },
      exitOn: { tag: leaving },
      steps: [{ messages: [card('Interested')] }, later('Still interested', 3 * DAY_MINUTES, 'not_conversed')],
    },
    {
      name: 'Clicked and did not talk',
      trigger: { event: 'notice.clicked' },
      entry: 'every',
      delay: { minutes: 60 },
      maxPerDay: Math.max(2, Math.floor(contacts / 100)),
      exitOn: { conversed: { lastDays: 60 } },
      steps: [{ messages: [card('Let us talk')] }],
    },
    {
      name: 'Birthday',
      trigger: { event: 'date', attribute: 'born', offsetDays: 0, at: '09:00', zone: 'Asia/Taipei', yearly: true },
      entry: { afterDays: 300 },
      endsAt: endsAt.toISOString(),
      steps: [{ messages: [card('Many happy returns')] }],
    },
    {
      name: 'Thanks',
      trigger: { event: 'order.paid' },
      entry: 'every',
      delay: { minutes: 30 },
      steps: [{ messages: [card('Thanks')] }, later('Once more', DAY_MINUTES, 'clicked')],
    },
  ];
  return given.map((body) => automationBodySchema.parse({ serviceNumberId, ...body }));
}

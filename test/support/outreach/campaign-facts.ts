import * as fc from 'fast-check';
import type { Message } from '#domain/api/messages.ts';

/** When the facts begin, in milliseconds since 1970. */
export const start = Date.UTC(2026, 2, 1);
const hours = 60;

const card = (...labels: string[]): Message => ({
  type: 'buttons',
  title: 'Spring',
  text: 'New',
  actions: labels.map((label) => ({ type: 'Postback', label, data: {} })),
});
/** Clicks that name no card belong to the second message. */
export const messages: Message[] = [{ type: 'text', text: 'Hello' }, card('Buy', 'Later'), card('Yes', 'No')];

const minute = fc.oneof(
  fc.nat(hours * 60 - 1),
  fc.nat(hours - 1).map((hour) => hour * 60),
);
const campaign = fc.nat(1);
const contact = fc.nat(3);
/** Everything that may happen to a campaign's contacts. */
export const fact = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('click' as const),
      campaign,
      contact,
      minute,
      card: fc.constantFrom(null, 1, 2),
      action: fc.nat(2),
      code: fc.constantFrom(null, 'buy', 'later'),
      event: fc.nat(5),
    }),
  },
  fc.record({ kind: fc.constant('opened' as const), campaign, contact, minute, session: fc.nat(4) }),
  fc.record({ kind: fc.constant('closed' as const), session: fc.nat(4) }),
  fc.record({ kind: fc.constant('tagged' as const), campaign, contact, minute, tag: fc.nat(1), byHand: fc.boolean() }),
  fc.record({ kind: fc.constant('untagged' as const), contact, tag: fc.nat(1) }),
);
export type Fact = typeof fact extends fc.Arbitrary<infer Value> ? Value : never;

/** Bounds within hours and on the hour. */
export const bound = minute.map((value) => start + value * 60_000);

import * as fc from 'fast-check';
import { contactEventTypes } from '#domain/api/events.ts';
import type { Message } from '#domain/api/messages.ts';
import type { ModelCampaign, ModelEvent } from './event-model.ts';

const url = 'https://shop.example/more';

/** One button of each kind, and a second Postback. */
export const card: Message = {
  type: 'buttons',
  title: 'Spring',
  text: 'New arrivals',
  actions: [
    { type: 'Postback', label: 'Buy', data: { bizEventCode: 'buy' } },
    { type: 'Url', label: 'More', url },
    { type: 'Postback', label: 'Look', data: { bizEventCode: 'look' } },
  ],
};

/**
 * `accepted` is sending; `late` is accepted halfway; `lost` is known only from a click; `nobody` has no task of ours.
 */
const places = ['accepted', 'late', 'lost', 'nobody'] as const;
export type Place = (typeof places)[number];

// Few values of everything, so that events collide.
const contact = fc.constantFrom('c1', 'c1', 'c2');
const minute = fc.integer({ min: 0, max: 30 });
const scope = fc.constantFrom('sn-1', 'sn-1', 'sn-2');
const click = fc.record({
  kind: fc.constant('click' as const),
  place: fc.constantFrom(...places),
  /** The sub-task that a Postback names. */
  names: fc.constantFrom('own', 'own', 'none', 'test'),
  contact,
  scope,
  minute,
  notice: fc.constantFrom('n1', 'n1', 'n1', 'n2'),
  button: fc.constantFrom(0, 1, 2),
});
const drawn = fc.oneof(
  { arbitrary: click, weight: 3 },
  fc.record({ kind: fc.constant('opened' as const), session: fc.integer({ min: 0, max: 3 }), scope, minute }),
  fc.record({
    kind: fc.constant('closed' as const),
    session: fc.integer({ min: 0, max: 4 }),
    scope,
    minute,
    messages: fc.integer({ min: 0, max: 5 }),
  }),
  fc.record({
    kind: fc.constant('contact' as const),
    type: fc.constantFrom(...contactEventTypes),
    contact,
    scope,
    minute,
    name: fc.option(fc.constantFrom('Ada', 'Bob'), { nil: undefined }),
    attributes: fc.option(fc.constantFrom({}, { vip: true }), { nil: undefined }),
  }),
);

/** Where events can come from: a campaign for each place that has one. */
export type PlacedCampaigns = Record<Exclude<Place, 'nobody'>, ModelCampaign>;

export type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

/** Every event is delivered one to three times, in any order and in batches of any size. */
export const plays = fc.array(drawn, { minLength: 1, maxLength: 30 }).chain((events) => {
  const times = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: events.length, maxLength: events.length });
  const deliveries = times.chain((counts) => {
    const all = counts.flatMap((count, index) => Array.from({ length: count }, () => index));
    return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
  });
  return fc.record({
    events: fc.constant(events),
    deliveries,
    /** Sizes of deliveries, and whether the inbox is drained after each. */
    steps: fc.array(fc.record({ size: fc.integer({ min: 1, max: 9 }), drained: fc.boolean() }), { minLength: 1 }),
    acceptedAfter: fc.nat({ max: 8 }),
  });
});

export type Play = typeof plays extends fc.Arbitrary<infer Value> ? Value : never;

function clickData(event: Extract<Drawn, { kind: 'click' }>, clickedAt: string, campaigns: PlacedCampaigns) {
  const { place, names, notice: noticeId, button: actionIndex, contact: contactId } = event;
  // A click on a task of `nobody` that names a sub-task still belongs to that sub-task.
  const own = place === 'nobody' ? campaigns.accepted : campaigns[place];
  const data = {
    bizEventCode: actionIndex === 0 ? 'buy' : 'look',
    ...(names === 'none' ? {} : { subTaskKey: names === 'own' ? own.key : 'test-1', messageIndex: 0 }),
  };
  const action = actionIndex === 1 ? { type: 'Url', url } : { type: 'Postback', data: JSON.stringify(data) };
  const taskId = actionIndex !== 1 && names === 'test' ? 'task-test' : `task-${place}`;
  return { taskId, noticeId, actionIndex, action, contactId, clickedAt };
}

/**
 * Every event of a session says the same about its opening: with an entry reason, with only a source, with neither,
 * or with another source.
 */
function openingData(session: number, campaigns: PlacedCampaigns) {
  const { accepted, late } = campaigns;
  const contactId = `c${(session % 3) + 1}`;
  const sourceId = [accepted.sourceId, late.sourceId, 'foreign', 'source-lost-answer'][session];
  const id = [accepted.campaignId, undefined, 'elsewhere', late.campaignId][session];
  return { contactId, sourceId, ...(id ? { entryReason: { type: 'activity', id } } : {}) };
}

/** The event as the platform words it; always the same for the same index. */
export function toEvent(event: Drawn, index: number, campaigns: PlacedCampaigns): ModelEvent {
  const occurredAt = new Date(Date.UTC(2026, 2, 1, 10, event.minute));
  const at = occurredAt.toISOString();
  const shared = { eventId: `e-${String(index).padStart(2, '0')}`, occurredAt, scope: event.scope };
  if (event.kind === 'click') return { ...shared, eventType: 'notice.clicked', data: clickData(event, at, campaigns) };
  if (event.kind === 'contact') {
    const { contact: contactId, scope: serviceNumberId, name, attributes } = event;
    const data = {
      contactId,
      serviceNumberId,
      ...(name && { displayName: name }),
      ...(attributes && { attributes }),
    };
    return { ...shared, eventType: event.type, data };
  }
  const sessionId = `s${event.session}`;
  if (event.kind === 'opened')
    return { ...shared, eventType: 'session.created', data: { sessionId, ...openingData(event.session, campaigns) } };
  const summary = { duration: event.messages * 10, messageCount: event.messages };
  return { ...shared, eventType: 'session.closed', data: { sessionId, closedAt: at, summary } };
}

import type { HandledEventType } from '../../../domain/api/events.ts';

/** One event as a test makes it up. */
export interface ModelEvent {
  eventId: string;
  eventType: HandledEventType;
  occurredAt: Date;
  /** The service number of the envelope. */
  scope: string;
  data: Record<string, unknown> & { contactId?: string; sessionId?: string };
}

export interface ModelClick extends ModelEvent {
  data: {
    taskId: string;
    noticeId: string;
    actionIndex: number;
    action: { type: 'Postback'; data: string } | { type: 'Url'; url: string };
    contactId: string;
    clickedAt: string;
  };
}

/** A campaign with one sub-task, and the platform's task once that is known. */
export interface ModelCampaign {
  campaignId: string;
  key: string;
  taskId: string;
  /** Known only by a click that names the key. */
  unknown: boolean;
  sourceId: string;
}

export interface ModelRule {
  ruleId: string;
  tagId: string;
  trigger: HandledEventType;
  /** What the condition says, in words of its own. */
  holds(event: ModelEvent, campaignId: string): boolean;
}

export interface ModelWorld {
  campaigns: ModelCampaign[];
  rules: ModelRule[];
  /** Of the tags, and so of the events that rules see. */
  serviceNumberId: string;
}

const isClick = (event: ModelEvent): event is ModelClick => event.eventType === 'notice.clicked';

interface ClickData {
  subTaskKey?: string;
  bizEventCode?: string;
}

const postbackOf = ({ data: { action } }: ModelClick): ClickData =>
  action.type === 'Postback' ? (JSON.parse(action.data) as ClickData) : {};

const isTest = (click: ModelClick) => postbackOf(click).subTaskKey?.startsWith('test-') ?? false;

/** Which campaign a click belongs to, with everything known that is ever known; null: nobody's. */
function campaignOfClick(click: ModelClick, { campaigns }: ModelWorld, clicks: ModelClick[]): string | null {
  if (isTest(click)) return null;
  const named = campaigns.find(({ key }) => key === postbackOf(click).subTaskKey);
  const byTask = campaigns.find(
    ({ taskId, unknown, key }) =>
      taskId === click.data.taskId && (!unknown || clicks.some((other) => postbackOf(other).subTaskKey === key)),
  );
  return (byTask ?? named)?.campaignId ?? null;
}

const keyOf = ({ data }: ModelClick) => JSON.stringify([data.taskId, data.contactId, data.noticeId, data.actionIndex]);

function groupBy<Item>(items: Item[], key: (item: Item) => string): [string, [Item, ...Item[]]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return [...groups];
}

export interface ExpectedClick {
  campaignId: string;
  /** Any of these may have been the first. */
  firsts: string[];
  repeats: number;
}

export function expectedClicks(events: ModelEvent[], world: ModelWorld): Record<string, ExpectedClick> {
  const clicks = events.filter(isClick);
  const own = clicks.filter((click) => campaignOfClick(click, world, clicks) !== null);
  return Object.fromEntries(
    groupBy(own, keyOf).map(([key, group]) => [
      key,
      {
        campaignId: campaignOfClick(group[0], world, clicks) ?? '',
        firsts: group.map(({ eventId }) => eventId).toSorted(),
        repeats: group.length - 1,
      },
    ]),
  );
}

/** The opening of a session; what several say of it is the same. */
const openingOf = (events: ModelEvent[], sessionId: unknown) =>
  events.find(({ eventType, data }) => eventType === 'session.created' && data.sessionId === sessionId);

function campaignOfSession(opening: ModelEvent, { campaigns }: ModelWorld): string | null {
  const reason = (opening.data['entryReason'] as { id?: string } | undefined)?.id;
  const byReason = campaigns.find(({ campaignId }) => campaignId === reason);
  const bySource = campaigns.find(({ sourceId }) => sourceId === opening.data['sourceId']);
  return (byReason ?? bySource)?.campaignId ?? null;
}

export interface ExpectedConversation {
  contactId: string;
  campaignId: string | null;
  /** Messages of any of its closings. */
  messageCounts: number[];
}

export function expectedConversations(events: ModelEvent[], world: ModelWorld): Record<string, ExpectedConversation> {
  const opened = events.filter(({ eventType }) => eventType === 'session.created');
  return Object.fromEntries(
    groupBy(opened, ({ data }) => String(data.sessionId)).map(([sessionId, [opening]]) => {
      const closings = events.filter((e) => e.eventType === 'session.closed' && e.data.sessionId === sessionId);
      const messageCounts = closings.map(({ data }) => (data['summary'] as { messageCount: number }).messageCount);
      const contactId = String(opening.data.contactId);
      return [sessionId, { contactId, campaignId: campaignOfSession(opening, world), messageCounts }];
    }),
  );
}

/** What each rule may give, as `tag contact rule event`: a contact gets each tag once, for one of them. */
export function expectedReasons(events: ModelEvent[], world: ModelWorld): string[] {
  const clicks = events.filter(isClick);
  return events.flatMap((event) => {
    const opening = isClick(event) ? undefined : openingOf(events, event.data.sessionId);
    const campaignId = isClick(event)
      ? campaignOfClick(event, world, clicks)
      : opening
        ? campaignOfSession(opening, world)
        : null;
    if (campaignId === null || event.scope !== world.serviceNumberId) return [];
    const contactId = isClick(event) ? event.data.contactId : String(opening?.data.contactId);
    return world.rules
      .filter(({ trigger, holds }) => trigger === event.eventType && holds(event, campaignId))
      .map(({ tagId, ruleId }) => [tagId, contactId, ruleId, event.eventId].join(' '));
  });
}

export interface ExpectedProfile {
  followState: string;
  unsubscribed: boolean;
  displayName: string | null;
  attributes: object;
  enteredAt: number | null;
  lastEventAt: number;
}

/** The newest event of these; of one instant the one with the greater id. */
const newest = (events: ModelEvent[]) =>
  events.toSorted((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || (a.eventId < b.eventId ? -1 : 1)).at(-1);

function profileOf(events: ModelEvent[]): ExpectedProfile {
  const of = (...types: string[]) => events.filter(({ eventType }) => types.includes(eventType));
  const said = (field: string) => newest(events.filter(({ data }) => data[field] !== undefined))?.data[field];
  const follow = newest(of('contact.entered', 'contact.followed', 'contact.unfollowed'));
  const subscription = newest(of('contact.unsubscribed', 'contact.resubscribed'));
  const times = (list: ModelEvent[]) => list.map(({ occurredAt }) => occurredAt.getTime());
  const entered = times(of('contact.entered'));
  return {
    followState: follow?.eventType === 'contact.unfollowed' ? 'unfollowed' : 'following',
    unsubscribed: subscription?.eventType === 'contact.unsubscribed',
    displayName: (said('displayName') as string | undefined) ?? null,
    attributes: (said('attributes') as object | undefined) ?? {},
    enteredAt: entered.length > 0 ? Math.min(...entered) : null,
    lastEventAt: Math.max(...times(events)),
  };
}

/** By `service-number contact`. */
export function expectedProfiles(events: ModelEvent[]): Record<string, ExpectedProfile> {
  const told = events.filter(({ eventType }) => eventType.startsWith('contact.'));
  const groups = groupBy(told, ({ data }) => `${String(data['serviceNumberId'])} ${String(data.contactId)}`);
  return Object.fromEntries(groups.map(([key, group]) => [key, profileOf(group)]));
}

/** Events whose context never came. */
export function expectedWaiting(events: ModelEvent[], world: ModelWorld): string[] {
  const clicks = events.filter(isClick);
  return events
    .filter((event) => {
      if (isClick(event)) return !isTest(event) && campaignOfClick(event, world, clicks) === null;
      return event.eventType === 'session.closed' && !openingOf(events, event.data.sessionId);
    })
    .map(({ eventId }) => eventId)
    .toSorted();
}

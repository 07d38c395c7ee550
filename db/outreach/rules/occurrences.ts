import {
  noticeClickedSchema,
  type SessionClosed,
  sessionClosedSchema,
  type SessionCreated,
  sessionCreatedSchema,
} from '#domain/api/events.ts';
import { causeKey } from '#domain/rules/cause.ts';
import type { EventTrigger } from '#domain/rules/triggers.ts';
import { parseExact } from '#domain/json-text.ts';
import type { EventFacts } from '#domain/rules/match-condition.ts';
import type { FactsOf } from '#domain/rules/smart-rule.ts';
import {
  findActionUrl,
  findMessageIndex,
  readClickOrigin,
  TEST_KEY_PREFIX,
  writtenUrl,
} from '#domain/campaigns/postback.ts';
import { PSEUDONYM_PATTERN } from '#domain/contacts/pseudonym.ts';
import { rows, type Transaction } from '#db/database.ts';
import { clickSource, findClickTargets } from '../clicks/targets.ts';
import type { StoredEvent } from '../inbox/batch.ts';

/** A handled event, as rules receive it. */
export type HandledEvent = Pick<StoredEvent, 'tenantId' | 'eventId' | 'serviceNumberId' | 'payload' | 'receivedAt'>;

/** What a rule can be applied to: an event of a campaign and the contact it is about. */
export interface RuleOccurrence {
  tenantId: string;
  serviceNumberId: string | null;
  contactId: string;
  campaignId: string;
  taskId: string | null;
  actionIndex: number | null;
  bizEventCode: string | null;
  eventId: string | null;
  /** As `causeKey` names it. */
  cause: string;
  facts: EventFacts;
}

const idOf = (tenantId: string, value: string) => `${tenantId} ${value}`;

/** Clicks of campaigns, without those of test sends. */
async function clickOccurrences(transaction: Transaction, events: HandledEvent[]): Promise<RuleOccurrence[]> {
  const clicks = events.flatMap((event) => {
    const data = noticeClickedSchema.parse(parseExact(event.payload));
    const origin = readClickOrigin(data.action.data);
    return origin.subTaskKey?.startsWith(TEST_KEY_PREFIX) ? [] : [{ event, data, origin }];
  });
  const sources = clicks.map(({ event, data, origin }) => clickSource(event, data, origin));
  const targets = await findClickTargets(transaction, sources);
  return clicks.flatMap(({ event, data, origin }, index) => {
    const { tenantId, eventId } = event;
    const belongs = targets[index];
    if (belongs?.kind !== 'subTask') return [];
    const { actionIndex, contactId, noticeId, taskId } = data;
    const { type: actionType, url = null } = data.action;
    const { target } = belongs;
    const { campaignId } = target;
    const { bizEventCode, sourceId } = origin;
    const messageIndex = origin.messageIndex ?? findMessageIndex(target, { actionIndex, type: actionType, url });
    const serviceNumberId = event.serviceNumberId ?? data.serviceNumberId ?? null;
    const facts: FactsOf<'notice.clicked'> = {
      bizEventCode,
      campaignId,
      actionIndex,
      actionType,
      noticeId,
      serviceNumberId,
      sourceId,
      // Conditions are about addresses as they are written.
      url:
        actionType === 'Url'
          ? url === null
            ? findActionUrl(target.messages, messageIndex, actionIndex)
            : writtenUrl(target, { messageIndex, actionIndex, url })
          : null,
    };
    const cause = causeKey({ kind: 'click', taskId, noticeId, actionIndex });
    const action = { taskId, actionIndex, bizEventCode };
    return [{ tenantId, serviceNumberId, contactId, campaignId, ...action, eventId, cause, facts }];
  });
}

interface Conversation {
  tenantId: string;
  sessionId: string;
  campaignId: string;
  contactId: string;
  serviceNumberId: string | null;
  sourceId: string | null;
}

/** Conversations that a campaign opened, by tenant and session; others are ignored, and those of erased contacts. */
async function linkedConversations(
  transaction: Transaction,
  sessions: { event: HandledEvent; data: { sessionId: string } }[],
): Promise<Map<string, Conversation>> {
  const found = await rows<Conversation>(
    transaction,
    `select v.tenant_id, v.session_id, v.campaign_id, v.contact_id, v.service_number_id, v.source_id
     from conversation v join (select distinct * from unnest(:tenantIds::text[], :sessionIds::text[])) as g(tenant_id, session_id)
       on v.tenant_id = g.tenant_id and v.session_id = g.session_id
     where v.campaign_id is not null and v.contact_id not like '${PSEUDONYM_PATTERN}'`,
    {
      tenantIds: sessions.map(({ event }) => event.tenantId),
      sessionIds: sessions.map(({ data }) => data.sessionId),
    },
  );
  return new Map(found.map((conversation) => [idOf(conversation.tenantId, conversation.sessionId), conversation]));
}

async function sessionOccurrences<Data extends SessionCreated | SessionClosed>(
  transaction: Transaction,
  events: HandledEvent[],
  read: (payload: unknown) => Data,
  factsOf: (data: Data, conversation: Conversation) => EventFacts,
): Promise<RuleOccurrence[]> {
  const sessions = events.map((event) => ({ event, data: read(parseExact(event.payload)) }));
  const conversations = await linkedConversations(transaction, sessions);
  return sessions.flatMap(({ event: { tenantId, eventId, serviceNumberId: scope }, data }) => {
    const conversation = conversations.get(idOf(tenantId, data.sessionId));
    if (!conversation) return [];
    const { campaignId, contactId } = conversation;
    const serviceNumberId = scope ?? conversation.serviceNumberId;
    const sourceId = data.sourceId ?? conversation.sourceId;
    const facts = { campaignId, serviceNumberId, sourceId, ...factsOf(data, conversation) };
    const none = { taskId: null, actionIndex: null, bizEventCode: null };
    const cause = causeKey({ kind: 'session', sessionId: data.sessionId });
    return [{ tenantId, serviceNumberId, contactId, campaignId, eventId, cause, facts, ...none }];
  });
}

/**
 * What rules with this trigger may be applied to, in event order: the same for live processing and a backtest. The
 * events were handled before, so their data matches its schema and their context exists.
 */
export function findOccurrences(
  transaction: Transaction,
  trigger: EventTrigger,
  events: HandledEvent[],
): Promise<RuleOccurrence[]> {
  switch (trigger) {
    case 'notice.clicked':
      return clickOccurrences(transaction, events);
    case 'session.created':
      return sessionOccurrences(
        transaction,
        events,
        (payload) => sessionCreatedSchema.parse(payload),
        (data) => ({ entryReasonId: data.entryReason?.id ?? null }),
      );
    case 'session.closed':
      return sessionOccurrences(
        transaction,
        events,
        (payload) => sessionClosedSchema.parse(payload),
        ({ summary }, { campaignId }) => ({
          entryReasonId: campaignId,
          durationSeconds: summary.duration,
          messageCount: summary.messageCount,
        }),
      );
  }
}

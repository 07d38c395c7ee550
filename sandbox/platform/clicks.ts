import type { Journal, Slice } from '../journal.ts';
import { Refusal } from '../http/route.ts';
import { createId } from '../random.ts';
import { isOpen } from './entry-sources.ts';
import type { EntrySource, EntrySources } from './entry-sources.ts';
import type { Integrations } from './integrations.ts';
import { parsePostback } from './messages.ts';
import type { Action } from './messages.ts';
import { fateOf, reachedAt, statusOf } from './tasks.ts';
import type { Task, Tasks } from './tasks.ts';
import type { Webhooks } from './webhooks.ts';

/** S0's notice_click_log, with the task and the event beside it. */
export interface ClickRecord {
  noticeId: string;
  actionIndex: number;
  type: 'Postback' | 'Url';
  data?: string;
  contactId: string;
  clickedAt: string;
  taskId: string;
  eventId: string;
}

export interface Session {
  sessionId: string;
  sourceId: string;
  contactId: string;
  serviceNumberId: string;
  tenantIntegrationId: string;
  openedAt: string;
  closedAt?: string;
  summary?: { duration: number; messageCount: number; agentId: string };
}

/** A card that a contact has: one message of one task. */
export interface Notice {
  noticeId: string;
  task: Task;
  index: number;
  messageIndex: number;
  contactId: string;
}

type Entry = { kind: 'click'; click: ClickRecord } | { kind: 'session'; session: Session };

export interface ClickDeps {
  tasks: Tasks;
  sources: EntrySources;
  integrations: Integrations;
  webhooks: Webhooks;
}

export function noticeIdOf(task: Task, index: number, messageIndex: number): string {
  return `notice_${task.taskId.slice('task_'.length)}_${index}_${messageIndex}`;
}

const openKey = (sourceId: string, contactId: string): string => `${sourceId} ${contactId}`;

/** The notice of this id, whether or not it has been delivered. */
export function findNotice(tasks: Tasks, noticeId: string): Notice | undefined {
  const match = /^notice_([0-9a-f]+)_(\d+)_(\d+)$/.exec(noticeId);
  const task = tasks.find(`task_${match?.[1] ?? ''}`);
  if (!task) return undefined;
  const index = Number(match?.[2]);
  const messageIndex = Number(match?.[3]);
  const contactId = task.contactIds[index];
  if (contactId === undefined || !task.messages[messageIndex]) return undefined;
  return { noticeId, task, index, messageIndex, contactId };
}

/** Whether the recipient has the task's cards by now. */
export function isDelivered(task: Task, index: number, now = Date.now()): boolean {
  const { run } = task;
  return run !== undefined && fateOf(run, index) === 'delivered' && reachedAt(task, run, index) <= now;
}

/** Clicks, their events, and the conversations they open. */
export function createClicks(journal: Journal, deps: ClickDeps) {
  const clicks: ClickRecord[] = [];
  const sessions = new Map<string, Session>();
  const open = new Set<string>();

  const slice: Slice<Entry> = {
    apply(entry) {
      if (entry.kind === 'click') clicks.push(entry.click);
      else {
        const { session } = entry;
        sessions.set(session.sessionId, session);
        if (session.closedAt) open.delete(openKey(session.sourceId, session.contactId));
        else open.add(openKey(session.sourceId, session.contactId));
      }
    },
    *dump() {
      for (const click of clicks) yield { kind: 'click', click };
      for (const session of sessions.values()) yield { kind: 'session', session };
    },
  };
  const record = journal.register('clicks', slice);

  function openSession(notice: Notice, source: EntrySource, clickedAt: string, times: number): void {
    const { contactId, task } = notice;
    if (open.has(openKey(source.sourceId, contactId)) || !isOpen(source)) return;
    const session: Session = {
      sessionId: createId('session'),
      sourceId: source.sourceId,
      contactId,
      serviceNumberId: task.serviceNumberId,
      tenantIntegrationId: source.tenantIntegrationId,
      openedAt: clickedAt,
    };
    record({ kind: 'session', session });
    emitSession(session, source, 'session.created', clickedAt, times, {
      sessionId: session.sessionId,
      sourceId: source.sourceId,
      contactId,
      serviceNumberId: session.serviceNumberId,
      channel: task.channels[0] ?? 'default',
      entryReason: { type: source.reason.type, name: source.name, id: source.reason.id, data: source.reason.data },
    });
  }

  function emitSession(
    session: Session,
    source: EntrySource,
    eventType: 'session.created' | 'session.closed',
    occurredAt: string,
    times: number,
    data: Record<string, unknown>,
  ): void {
    if (!source.webhook.events.includes(eventType)) return;
    const to = { tenantIntegrationId: session.tenantIntegrationId, url: source.webhook.url };
    deps.webhooks.emit(to, { eventType, serviceNumberId: session.serviceNumberId, data, occurredAt }, times);
  }

  /** The integration that hears of a task's clicks: the one that sent it, or the tenant's present one. */
  function listenerOf(task: Task) {
    const sender = deps.integrations.find(task.tenantIntegrationId);
    return sender?.status === 'ACTIVE' ? sender : deps.integrations.activeOf(task.platformTenantId);
  }

  return {
    list: () => clicks,
    sessions: () => [...sessions.values()],

    /**
     * One click on a button: log, notice.clicked, and for InboundReason a conversation.
     * @param times deliveries of the same events
     * @throws Refusal 404 where the card has no such button
     */
    click(notice: Notice, actionIndex: number, { clickedAt = new Date().toISOString(), times = 1 } = {}): ClickRecord {
      const { task, noticeId, contactId, messageIndex } = notice;
      const action = actionOf(task, messageIndex, actionIndex);
      const { type, data } = action;
      const eventId = createId('evt');
      const carried = data === undefined ? { type } : { type, data };
      const click: ClickRecord = {
        noticeId,
        actionIndex,
        ...carried,
        contactId,
        clickedAt,
        taskId: task.taskId,
        eventId,
      };
      record({ kind: 'click', click });
      const listener = listenerOf(task);
      if (listener?.webhookUrl) {
        const { tenantIntegrationId, webhookUrl: url } = listener;
        const { serviceNumberId, taskId } = task;
        deps.webhooks.emit(
          { tenantIntegrationId, url },
          {
            eventId,
            eventType: 'notice.clicked',
            serviceNumberId,
            occurredAt: clickedAt,
            data: { taskId, noticeId, actionIndex, action: carried, contactId, serviceNumberId, clickedAt },
          },
          times,
        );
      }
      const postback = type === 'Postback' ? parsePostback(data) : '';
      const source = typeof postback === 'string' ? undefined : deps.sources.find(postback.sourceId ?? '');
      if (typeof postback !== 'string' && postback.event === 'InboundReason' && source) {
        openSession(notice, source, clickedAt, times);
      }
      return click;
    },

    /**
     * Ends a conversation.
     * @throws Refusal 404, or 409 where it has ended
     */
    closeSession(
      sessionId: string,
      { durationSeconds, messageCount, agentId, closedAt = new Date().toISOString(), times = 1 }: CloseInput,
    ): Session {
      const session = sessions.get(sessionId);
      const source = session ? deps.sources.find(session.sourceId) : undefined;
      if (!session || !source) throw new Refusal(404, 'not_found', `there is no session ${sessionId}`);
      if (session.closedAt) throw new Refusal(409, 'conflict', 'the session has ended');
      const summary = { duration: durationSeconds, messageCount, agentId };
      const closed = { ...session, closedAt, summary };
      record({ kind: 'session', session: closed });
      const data = { sessionId, sourceId: session.sourceId, closedAt, summary };
      emitSession(closed, source, 'session.closed', closedAt, times, data);
      return closed;
    },
  };
}

export type Clicks = ReturnType<typeof createClicks>;

export interface CloseInput {
  durationSeconds: number;
  messageCount: number;
  agentId: string;
  closedAt?: string | undefined;
  times?: number | undefined;
}

/**
 * The button of a card.
 * @throws Refusal 404
 */
export function actionOf(task: Task, messageIndex: number, actionIndex: number): Action {
  const message = task.messages[messageIndex];
  const action = message?.type === 'buttons' ? message.actions[actionIndex] : undefined;
  if (!action) throw new Refusal(404, 'not_found', 'the card has no such button');
  return action;
}

/**
 * The notice of a task's contact.
 * @throws Refusal 404 where the contact is not in the task, 409 where nothing was delivered (yet)
 */
export function noticeOf(task: Task, contactId: string, messageIndex: number): Notice {
  const index = task.contactIds.indexOf(contactId);
  if (index < 0 || !task.messages[messageIndex]) throw new Refusal(404, 'not_found', 'the contact has no such card');
  if (!isDelivered(task, index)) {
    throw new Refusal(409, 'not_delivered', 'the contact has not received this card', {
      status: statusOf(task, Date.now()),
      fate: task.run ? fateOf(task.run, index) : null,
    });
  }
  return { noticeId: noticeIdOf(task, index, messageIndex), task, index, messageIndex, contactId };
}

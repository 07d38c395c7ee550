import { SandboxError } from '#sandbox/http/route.ts';
import type { Journal } from '#sandbox/journal.ts';
import { createId } from '#sandbox/random.ts';
import { createClickLog } from './log.ts';
import type { ClickLog, ClickRecord, Session } from './log.ts';
import { isOpen } from '../entry-sources.ts';
import type { EntrySource, EntrySources } from '../entry-sources.ts';
import type { Integrations } from '../integration/integrations.ts';
import { parsePostback } from '../broadcasts/messages.ts';
import { actionOf } from '../broadcasts/notices.ts';
import type { Notice } from '../broadcasts/notices.ts';
import type { Task } from '../broadcasts/tasks.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

export interface ClickDeps {
  sources: EntrySources;
  integrations: Integrations;
  webhooks: Webhooks;
}

type Deps = ClickDeps & { log: ClickLog };

export interface ClickInput {
  /** ISO 8601; defaults to now. */
  clickedAt?: string;
  /** How many times the same events are delivered. */
  times?: number;
}

export interface CloseInput {
  durationSeconds: number;
  messageCount: number;
  agentId: string;
  closedAt?: string | undefined;
  times?: number | undefined;
}

/** Clicks, their events, and the conversations they open. */
export function createClicks(journal: Journal, deps: ClickDeps) {
  const log = createClickLog(journal);
  const all = { ...deps, log };
  return {
    list: log.clicks,
    sessions: log.sessions,
    click: (notice: Notice, actionIndex: number, input: ClickInput = {}) => click(all, notice, actionIndex, input),
    closeSession: (sessionId: string, input: CloseInput) => closeSession(all, sessionId, input),
  };
}

export type Clicks = ReturnType<typeof createClicks>;

/**
 * One click on a button: the log, notice.clicked, and for InboundReason a conversation.
 * @throws Refusal 404 if the card has no such button
 */
function click(
  deps: Deps,
  notice: Notice,
  actionIndex: number,
  { clickedAt = new Date().toISOString(), times = 1 }: ClickInput,
): ClickRecord {
  const { task, noticeId, contactId, messageIndex } = notice;
  const { type, data } = actionOf(task, messageIndex, actionIndex);
  const eventId = createId('evt');
  const action = data === undefined ? { type } : { type, data };
  const { taskId } = task;
  const record: ClickRecord = { noticeId, actionIndex, ...action, contactId, clickedAt, taskId, eventId };
  deps.log.addClick(record);
  emitClicked(deps, task, record, action, times);
  if (type === 'Postback') openConversation(deps, notice, data, clickedAt, times);
  return record;
}

/** The integration that receives a task's clicks: the one that sent it, or the tenant's current one. */
function listenerOf({ integrations }: Deps, task: Task) {
  const sender = integrations.find(task.tenantIntegrationId);
  return sender?.status === 'ACTIVE' ? sender : integrations.activeOf(task.platformTenantId);
}

function emitClicked(deps: Deps, task: Task, record: ClickRecord, action: object, times: number): void {
  const listener = listenerOf(deps, task);
  if (!listener?.webhookUrl) return;
  const { taskId, noticeId, actionIndex, contactId, clickedAt, eventId } = record;
  const { serviceNumberId } = task;
  const data = { taskId, noticeId, actionIndex, action, contactId, serviceNumberId, clickedAt };
  deps.webhooks.emit(
    { tenantIntegrationId: listener.tenantIntegrationId, url: listener.webhookUrl },
    { eventId, eventType: 'notice.clicked', serviceNumberId, occurredAt: clickedAt, data },
    times,
  );
}

/** Starts a session if the Postback asks for one, its source is open, and the two are not already in conversation. */
function openConversation(
  deps: Deps,
  { contactId, task }: Notice,
  data: string | undefined,
  at: string,
  times: number,
): void {
  const postback = parsePostback(data);
  if (typeof postback === 'string' || postback.event !== 'InboundReason') return;
  const source = deps.sources.find(postback.sourceId ?? '');
  if (!source || !isOpen(source) || deps.log.hasOpenSession(source.sourceId, contactId)) return;
  const { sourceId, tenantIntegrationId, reason } = source;
  const { serviceNumberId } = task;
  const sessionId = createId('session');
  const session: Session = { sessionId, sourceId, contactId, serviceNumberId, tenantIntegrationId, openedAt: at };
  deps.log.putSession(session);
  emitSession(deps, session, source, 'session.created', at, times, {
    sessionId,
    sourceId,
    contactId,
    serviceNumberId,
    channel: task.channels[0] ?? 'default',
    entryReason: { type: reason.type, name: source.name, id: reason.id, data: reason.data },
  });
}

function emitSession(
  { webhooks }: Deps,
  { tenantIntegrationId, serviceNumberId }: Session,
  { webhook }: EntrySource,
  eventType: 'session.created' | 'session.closed',
  occurredAt: string,
  times: number,
  data: Record<string, unknown>,
): void {
  if (!webhook.events.includes(eventType)) return;
  webhooks.emit({ tenantIntegrationId, url: webhook.url }, { eventType, serviceNumberId, data, occurredAt }, times);
}

/**
 * Ends a conversation.
 * @throws Refusal 404, or 409 if it has already ended
 */
function closeSession(deps: Deps, sessionId: string, input: CloseInput): Session {
  const { durationSeconds, messageCount, agentId, closedAt = new Date().toISOString(), times = 1 } = input;
  const session = deps.log.findSession(sessionId);
  const source = session ? deps.sources.find(session.sourceId) : undefined;
  if (!session || !source) throw new SandboxError(404, 'not_found', `there is no session ${sessionId}`);
  if (session.closedAt) throw new SandboxError(409, 'conflict', 'the session has ended');
  const summary = { duration: durationSeconds, messageCount, agentId };
  const closed = { ...session, closedAt, summary };
  deps.log.putSession(closed);
  const data = { sessionId, sourceId: session.sourceId, closedAt, summary };
  emitSession(deps, closed, source, 'session.closed', closedAt, times, data);
  return closed;
}

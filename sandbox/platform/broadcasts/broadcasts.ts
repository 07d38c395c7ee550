import { z } from 'zod';
import { header, created, ok, param, readJson, SandboxError, route } from '#sandbox/http/route.ts';
import type { Route } from '#sandbox/http/route.ts';
import { createId } from '#sandbox/random.ts';
import type { BehaviourStore } from './behaviour.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { EntrySources } from '../entry-sources.ts';
import { assertOwnServiceNumber, signed } from '../gateway.ts';
import type { GatewayDeps } from '../gateway.ts';
import type { Integration } from '../integration/integrations.ts';
import { assertPostbacks, broadcastSchema } from './messages.ts';
import type { Broadcast } from './messages.ts';
import { planRun, reportOf, reportSchema, statusOf } from './outcomes.ts';
import type { Task, Tasks } from './tasks.ts';

export interface BroadcastDeps extends GatewayDeps {
  tasks: Tasks;
  contacts: Contacts;
  sources: EntrySources;
  behaviour: BehaviourStore;
}

const CONTACTS_PER_TASK = 1000;
const NAMED_UNKNOWN_CONTACTS = 100;
const LONGEST_TIMER = 2 ** 31 - 1;

/** Starts tasks when their time has come. */
export function createTaskClock({
  tasks,
  behaviour,
  contacts,
}: Pick<BroadcastDeps, 'tasks' | 'behaviour' | 'contacts'>) {
  const timers = new Map<string, NodeJS.Timeout>();

  function begin(taskId: string): void {
    timers.delete(taskId);
    const task = tasks.find(taskId);
    if (!task || task.run || task.cancelledAt !== undefined) return;
    if (task.startsAt > Date.now()) schedule(task);
    else tasks.record({ kind: 'run', taskId, run: planRun(task, behaviour.of(task), contacts) });
  }

  function schedule(task: Task): void {
    const wait = Math.min(Math.max(0, task.startsAt - Date.now()), LONGEST_TIMER);
    timers.set(
      task.taskId,
      setTimeout(() => begin(task.taskId), wait),
    );
  }

  return {
    schedule,
    /** Schedules every task that an earlier process left waiting. */
    resume(): void {
      for (const task of tasks.list()) if (!task.run && task.cancelledAt === undefined) schedule(task);
    },
    cancel(taskId: string): void {
      clearTimeout(timers.get(taskId));
      timers.delete(taskId);
      tasks.record({ kind: 'cancelled', taskId, at: Date.now() });
    },
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

export type TaskClock = ReturnType<typeof createTaskClock>;

/** A1 to A3. */
export function broadcastRoutes(deps: BroadcastDeps & { clock: TaskClock }): Route[] {
  const base = '/openapi/v1/service-numbers/{snId}/broadcasts';
  const own = (integration: Integration, serviceNumberId: string, taskId: string): Task => {
    const task = deps.tasks.find(taskId);
    if (!task || task.platformTenantId !== integration.platformTenantId || task.serviceNumberId !== serviceNumberId) {
      throw new SandboxError(404, 'not_found', `the service number has no broadcast ${taskId}`);
    }
    return task;
  };
  return [
    route(
      { code: 'A1', method: 'POST', path: base },
      {
        summary: 'Sends messages to contacts',
        access: 'signature',
        headers: z.object({ 'idempotency-key': z.string().optional() }),
        body: broadcastSchema,
        response: z.object({ taskId: z.string(), estimatedRecipientCount: z.number() }),
      },
      signed(deps, (call, integration) => {
        const serviceNumberId = param(call, 'snId');
        assertOwnServiceNumber(deps, integration, serviceNumberId);
        const key = header(call, 'idempotency-key');
        const earlier =
          key && deps.behaviour.get().a1Idempotent
            ? deps.tasks.findByKey(integration.tenantIntegrationId, key)
            : undefined;
        const task = earlier ?? accept(deps, integration, serviceNumberId, readJson(call), key);
        return created({ taskId: task.taskId, estimatedRecipientCount: task.estimatedRecipientCount });
      }),
    ),
    route(
      { code: 'A2', method: 'GET', path: `${base}/{taskId}` },
      { summary: 'Reports the progress of a task', access: 'signature', response: reportSchema },
      signed(deps, (call, integration) =>
        ok(reportOf(own(integration, param(call, 'snId'), param(call, 'taskId')), Date.now())),
      ),
    ),
    route(
      { code: 'A3', method: 'POST', path: `${base}/{taskId}:cancel` },
      {
        summary: 'Cancels a scheduled task',
        access: 'signature',
        response: z.object({ taskId: z.string(), status: z.literal('cancelled') }),
      },
      signed(deps, (call, integration) => {
        const task = own(integration, param(call, 'snId'), param(call, 'taskId'));
        const status = statusOf(task, Date.now());
        if (status !== 'scheduled') throw new SandboxError(409, 'not_scheduled', `the task is ${status}`, { status });
        deps.clock.cancel(task.taskId);
        return ok({ taskId: task.taskId, status: 'cancelled' });
      }),
    ),
  ];
}

function accept(
  deps: BroadcastDeps & { clock: TaskClock },
  integration: Integration,
  serviceNumberId: string,
  body: Broadcast,
  idempotencyKey: string | undefined,
): Task {
  assertPostbacks(
    body.messages,
    integration.appId,
    (sourceId) => deps.sources.find(sourceId)?.platformTenantId === integration.platformTenantId,
  );
  const contactIds = resolveAudience(deps, serviceNumberId, body.audience);
  const now = Date.now();
  const at = body.schedule.type === 'scheduled' ? Date.parse(body.schedule.at) : now;
  const task: Task = {
    taskId: createId('task'),
    tenantIntegrationId: integration.tenantIntegrationId,
    platformTenantId: integration.platformTenantId,
    serviceNumberId,
    name: body.name,
    ...(body.note ? { note: body.note } : {}),
    channels: body.channels,
    messages: body.messages,
    schedule: body.schedule,
    contactIds,
    estimatedRecipientCount: contactIds.filter((id) => !deps.contacts.isUnsubscribed(serviceNumberId, id)).length,
    createdAt: now,
    startsAt: Math.max(at, now) + deps.behaviour.of(body).startDelayMs,
    ...(idempotencyKey ? { idempotencyKey } : {}),
  };
  deps.tasks.record({ kind: 'task', task });
  deps.clock.schedule(task);
  return task;
}

function resolveAudience(deps: BroadcastDeps, serviceNumberId: string, audience: Broadcast['audience']): string[] {
  if (audience.type === 'tags') return contactsWithTags(deps, serviceNumberId, audience.tagIds, audience.tagOperator);
  if (audience.contactIds.length > CONTACTS_PER_TASK) {
    const given = audience.contactIds.length;
    throw new SandboxError(422, 'audience_too_large', `at most ${CONTACTS_PER_TASK} contacts per task, not ${given}`);
  }
  const contactIds = [...new Set(audience.contactIds)];
  const unknown = contactIds.filter((contactId) => !deps.contacts.has(serviceNumberId, contactId));
  if (unknown.length > 0) {
    throw new SandboxError(
      422,
      'contact_not_found',
      `${serviceNumberId} does not know ${unknown.length} of the contacts`,
      {
        contactIds: unknown.slice(0, NAMED_UNKNOWN_CONTACTS),
      },
    );
  }
  return contactIds;
}

function contactsWithTags(deps: BroadcastDeps, snId: string, tagIds: string[], operator: 'AND' | 'OR'): string[] {
  const labels = deps.contacts.labels(snId);
  const unknown = tagIds.find((tagId) => labels.get(tagId)?.deleted ?? true);
  if (unknown) throw new SandboxError(422, 'tag_not_found', `${snId} has no tag ${unknown}`);
  const contactIds: string[] = [];
  for (const contact of deps.contacts.iterate(snId)) {
    const matches = (tagId: string) => contact.labels.includes(tagId);
    if (operator === 'AND' ? tagIds.every(matches) : tagIds.some(matches)) contactIds.push(contact.contactId);
  }
  return contactIds;
}

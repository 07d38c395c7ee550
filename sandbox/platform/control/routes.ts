import { z } from 'zod';
import { faultSchema } from '#sandbox/faults.ts';
import type { Faults } from '#sandbox/faults.ts';
import type { CallLog } from '#sandbox/http/calls.ts';
import { control, created, ok, param, readJson, readQuery, SandboxError } from '#sandbox/http/route.ts';
import type { Route } from '#sandbox/http/route.ts';
import { behaviourSchema, pacesSchema } from '../broadcasts/behaviour.ts';
import type { BehaviourStore } from '../broadcasts/behaviour.ts';
import { noticeOf } from '../broadcasts/notices.ts';
import type { ClickRecord } from '../clicks/log.ts';
import type { Clicks } from '../clicks/clicks.ts';
import { listenerOf } from '../contacts/control.ts';
import type { ContactEvents } from '../contacts/events.ts';
import {
  callsQuery,
  clicksSchema,
  closeSessionSchema,
  deliveriesQuery,
  filtersQuery,
  itemsQuery,
  tasksQuery,
  webhookSchema,
} from './schemas.ts';
import type { Filters } from './schemas.ts';
import type { EntrySources } from '../entry-sources.ts';
import type { Integrations } from '../integration/integrations.ts';
import { reportOf } from '../broadcasts/outcomes.ts';
import type { Task, Tasks } from '../broadcasts/tasks.ts';
import type { Delivery } from '../webhooks/delivery-log.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

export interface ControlDeps {
  faults: Faults;
  calls: CallLog;
  behaviour: BehaviourStore;
  tasks: Tasks;
  sources: EntrySources;
  clicks: Clicks;
  webhooks: Webhooks;
  contactEvents: ContactEvents;
  integrations: Integrations;
}

const faultsSchema = z.strictObject({ faults: z.array(faultSchema) });

/** Control API for the sandbox's behaviour, and for reading what it has done. */
export function controlRoutes(deps: ControlDeps): Route[] {
  const { faults, behaviour, calls } = deps;
  return [
    control('PUT', '/sandbox/faults', { summary: 'Replaces the active faults', body: faultsSchema }, (call) => {
      faults.replace(readJson(call).faults);
      return ok({ faults: faults.list() });
    }),
    control('GET', '/sandbox/faults', { summary: 'The active faults, with how many calls each has hit' }, () =>
      ok({ faults: faults.list() }),
    ),
    ...(['/sandbox/clock', '/sandbox/behaviour'] as const).flatMap((path) => [
      control(
        'PUT',
        path,
        {
          summary: 'Changes how fast and how reliably the platform sends',
          body: behaviourSchema.partial(),
          response: behaviourSchema,
        },
        (call) => {
          behaviour.change(readJson(call));
          return ok(behaviour.get());
        },
      ),
      control('GET', path, { summary: 'How fast and how reliably the platform sends', response: behaviourSchema }, () =>
        ok(behaviour.get()),
      ),
    ]),
    control(
      'PUT',
      '/sandbox/paces',
      { summary: 'Replaces how fast tasks are sent whose name includes a text', body: pacesSchema },
      (call) => {
        const { paces } = readJson(call);
        behaviour.setPaces(paces);
        return ok({ paces });
      },
    ),
    control(
      'GET',
      '/sandbox/calls',
      { summary: 'The calls received from the application', query: callsQuery },
      (call) => {
        const { route, since, limit, bodies } = readQuery(call);
        return ok(calls.list({ ...(route ? { route } : {}), since, limit, bodies: bodies === '1' }));
      },
    ),
    ...readingRoutes(deps),
    ...clickRoutes(deps),
  ];
}

function readingRoutes({ tasks, sources, clicks, webhooks, contactEvents }: ControlDeps): Route[] {
  return [
    control('GET', '/sandbox/tasks', { summary: 'Broadcast tasks', query: tasksQuery }, (call) => {
      const { limit, contacts, ...filters } = readQuery(call);
      const matching = [...tasks.list()].filter((task) => concerns(filters, { ...task }));
      return ok({
        total: matching.length,
        items: matching.slice(-limit).map((task) => shown(task, contacts === '1')),
      });
    }),
    control(
      'GET',
      '/sandbox/tasks/{taskId}',
      { summary: 'A broadcast task with its messages and contacts' },
      (call) => {
        const task = tasks.find(param(call, 'taskId'));
        if (!task) throw new SandboxError(404, 'not_found', 'there is no such task');
        return ok({ ...shown(task, true), messages: task.messages });
      },
    ),
    control('GET', '/sandbox/entry-sources', { summary: 'Entry sources', query: filtersQuery }, (call) => {
      const filters = readQuery(call);
      return ok({ items: sources.list().filter((source) => concerns(filters, { ...source })) });
    }),
    control('GET', '/sandbox/notice-click-log', { summary: 'Clicks', query: itemsQuery }, (call) => {
      const { limit, ...filters } = readQuery(call);
      const matching = clicks.list().filter((click) => concerns(filters, { ...click }));
      return ok({ total: matching.length, items: matching.slice(-limit) });
    }),
    control('GET', '/sandbox/sessions', { summary: 'Conversations', query: filtersQuery }, (call) => {
      const filters = readQuery(call);
      return ok({ items: clicks.sessions().filter((session) => concerns(filters, { ...session })) });
    }),
    control('GET', '/sandbox/deliveries', { summary: 'Deliveries of webhooks', query: deliveriesQuery }, (call) => {
      const { limit, pending, ...filters } = readQuery(call);
      const log = webhooks.log;
      const all = pending === '1' ? log.pending() : [...log.ended(), ...log.pending()];
      const matching = all.filter((delivery) => concerns(filters, { ...delivery }));
      return ok({
        counts: log.counts(),
        announcementsOutstanding: contactEvents.outstanding(),
        total: matching.length,
        items: matching.slice(-limit).map(readable),
      });
    }),
  ];
}

/** Whether an item matches the query's filters: each but the tenant is named after its field. */
function concerns({ tenant, tenantIntegrationId, ...filters }: Filters, item: Record<string, unknown>): boolean {
  if (tenant && 'platformTenantId' in item && item.platformTenantId !== tenant) return false;
  if (tenantIntegrationId && item.tenantIntegrationId !== tenantIntegrationId) return false;
  return Object.entries(filters).every(([name, wanted]) => !(name in item) || item[name] === wanted);
}

function readable(delivery: Delivery) {
  return { ...delivery, body: JSON.parse(delivery.body) as unknown };
}

function shown(task: Task, withContacts: boolean) {
  const { contactIds, messages: _messages, run: _run, createdAt, startsAt, cancelledAt: _cancelledAt, ...rest } = task;
  return {
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
    startsAt: new Date(startsAt).toISOString(),
    contactCount: contactIds.length,
    ...reportOf(task, Date.now()),
    ...(withContacts ? { contactIds } : {}),
  };
}

function clickRoutes({ tasks, clicks, webhooks, integrations }: ControlDeps): Route[] {
  return [
    control('POST', '/sandbox/clicks', { summary: 'Clicks buttons of cards', body: clicksSchema }, (call) => {
      const body = readJson(call);
      const wanted = 'clicks' in body ? body.clicks : [body];
      const notices = wanted.map((one) => {
        const task = tasks.find(one.taskId);
        if (!task) throw new SandboxError(404, 'not_found', `there is no task ${one.taskId}`);
        return noticeOf(task, one.contactId, one.messageIndex);
      });
      const items: ClickRecord[] = [];
      wanted.forEach(({ actionIndex, clickedAt, times, distinctEvents }, position) => {
        const notice = notices[position];
        if (!notice) return;
        for (let number = 0; number < distinctEvents; number += 1) {
          items.push(clicks.click(notice, actionIndex, { times, ...(clickedAt ? { clickedAt } : {}) }));
        }
      });
      return created({ items });
    }),
    control(
      'POST',
      '/sandbox/sessions/{sessionId}:close',
      { summary: 'Ends a conversation', body: closeSessionSchema },
      (call) => ok(clicks.closeSession(param(call, 'sessionId'), readJson(call))),
    ),
    control(
      'POST',
      '/sandbox/webhooks',
      { summary: 'Sends any event to the application', body: webhookSchema },
      async (call) => {
        const { tenant, times, wait, ...draft } = readJson(call);
        const to = listenerOf({ integrations }, tenant);
        const eventId = await emitAndWait(webhooks, wait, times, () => webhooks.emit(to, draft, times));
        return created({ eventId });
      },
    ),
  ];
}

async function emitAndWait(webhooks: Webhooks, wait: boolean, times: number, emit: () => string): Promise<string> {
  if (!wait) return emit();
  const ended: string[] = [];
  let eventId: string | undefined;
  await new Promise<void>((resolve) => {
    const check = () => {
      if (ended.filter((one) => one === eventId).length < times) return;
      stop();
      resolve();
    };
    const stop = webhooks.onEnd((delivery) => {
      ended.push(delivery.eventId);
      check();
    });
    eventId = emit();
    check();
  });
  return eventId ?? '';
}

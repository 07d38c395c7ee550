import { z } from 'zod';
import { faultSchema } from '../faults.ts';
import type { Faults } from '../faults.ts';
import type { CallLog } from '../http/calls.ts';
import { control, created, ok, param, readJson, Refusal } from '../http/route.ts';
import type { Call, Route } from '../http/route.ts';
import { behaviourSchema } from './behaviour.ts';
import type { BehaviourStore } from './behaviour.ts';
import { noticeOf } from './notices.ts';
import type { ClickRecord } from './click-log.ts';
import type { Clicks } from './clicks.ts';
import { listenerOf } from './contact-control.ts';
import type { ContactEvents } from './contact-events.ts';
import { clicksSchema, closeSessionSchema, webhookSchema } from './control-schemas.ts';
import type { EntrySources } from './entry-sources.ts';
import type { Integrations } from './integrations.ts';
import { reportOf } from './tasks.ts';
import type { Task, Tasks } from './tasks.ts';
import type { Delivery } from './delivery-log.ts';
import type { Webhooks } from './webhooks.ts';

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
const limitOf = (call: Call): number => Math.min(Number(call.query.get('limit') ?? 1000) || 1000, 20_000);
/** The control of how the sandbox behaves, and the reading of what it has done. */
export function controlRoutes(deps: ControlDeps): Route[] {
  const { faults, behaviour, calls } = deps;
  return [
    control('PUT', '/sandbox/faults', (call) => {
      faults.replace(readJson(call, faultsSchema).faults);
      return ok({ faults: faults.list() });
    }),
    control('GET', '/sandbox/faults', () => ok({ faults: faults.list() })),
    ...['/sandbox/clock', '/sandbox/behaviour'].flatMap((path) => [
      control('PUT', path, (call) => {
        behaviour.change(readJson(call, behaviourSchema.partial()));
        return ok(behaviour.get());
      }),
      control('GET', path, () => ok(behaviour.get())),
    ]),
    control('GET', '/sandbox/calls', (call) =>
      ok(
        calls.list({
          ...(call.query.get('route') ? { route: call.query.get('route') ?? '' } : {}),
          since: Number(call.query.get('since') ?? 0),
          limit: limitOf(call),
          bodies: call.query.get('bodies') === '1',
        }),
      ),
    ),
    ...readingRoutes(deps),
    ...clickRoutes(deps),
  ];
}

function readingRoutes({ tasks, sources, clicks, webhooks, contactEvents }: ControlDeps): Route[] {
  return [
    control('GET', '/sandbox/tasks', (call) => {
      const matching = [...tasks.list()].filter((task) => concerns(call, { ...task }));
      const withContacts = call.query.get('contacts') === '1';
      return ok({
        total: matching.length,
        items: matching.slice(-limitOf(call)).map((task) => shown(task, withContacts)),
      });
    }),
    control('GET', '/sandbox/tasks/:taskId', (call) => {
      const task = tasks.find(param(call, 'taskId'));
      if (!task) throw new Refusal(404, 'not_found', 'there is no such task');
      return ok({ ...shown(task, true), messages: task.messages });
    }),
    control('GET', '/sandbox/entry-sources', (call) =>
      ok({ items: sources.list().filter((source) => concerns(call, { ...source })) }),
    ),
    control('GET', '/sandbox/notice-click-log', (call) => {
      const matching = clicks.list().filter((click) => concerns(call, { ...click }));
      return ok({ total: matching.length, items: matching.slice(-limitOf(call)) });
    }),
    control('GET', '/sandbox/sessions', (call) =>
      ok({ items: clicks.sessions().filter((session) => concerns(call, { ...session })) }),
    ),
    control('GET', '/sandbox/deliveries', (call) => {
      const log = webhooks.log;
      const all = call.query.get('pending') === '1' ? log.pending() : [...log.ended(), ...log.pending()];
      const matching = all.filter((delivery) => concerns(call, { ...delivery }));
      return ok({
        counts: log.counts(),
        announcementsOutstanding: contactEvents.outstanding(),
        total: matching.length,
        items: matching.slice(-limitOf(call)).map(readable),
      });
    }),
  ];
}

/** Whether an item fits the filters of the query, each named like the field. */
function concerns(call: Call, item: Record<string, unknown>): boolean {
  const filters = ['taskId', 'contactId', 'noticeId', 'eventId', 'eventType', 'status', 'serviceNumberId', 'sourceId'];
  const tenant = call.query.get('tenant');
  if (tenant && 'platformTenantId' in item && item.platformTenantId !== tenant) return false;
  const integration = call.query.get('tenantIntegrationId');
  if (integration && item.tenantIntegrationId !== integration) return false;
  return filters.every((name) => !call.query.has(name) || !(name in item) || item[name] === call.query.get(name));
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
    control('POST', '/sandbox/clicks', (call) => {
      const body = readJson(call, clicksSchema);
      const wanted = 'clicks' in body ? body.clicks : [body];
      const notices = wanted.map((one) => {
        const task = tasks.find(one.taskId);
        if (!task) throw new Refusal(404, 'not_found', `there is no task ${one.taskId}`);
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
    control('POST', '/sandbox/sessions/:sessionId\\:close', (call) =>
      ok(clicks.closeSession(param(call, 'sessionId'), readJson(call, closeSessionSchema))),
    ),
    control('POST', '/sandbox/webhooks', async (call) => {
      const { tenant, times, wait, ...draft } = readJson(call, webhookSchema);
      const to = listenerOf({ integrations }, tenant);
      const eventId = await emitAndWait(webhooks, wait, times, () => webhooks.emit(to, draft, times));
      return created({ eventId });
    }),
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

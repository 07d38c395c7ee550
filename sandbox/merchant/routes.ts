import { z } from 'zod';
import { control, header, ok, param, readJson, readQuery, route, SandboxError } from '../http/route.ts';
import type { ApiResponse, Call, Route } from '../http/route.ts';
import { bodyOf } from './receivers.ts';
import type { MerchantEvent, Receivers } from './receivers.ts';
import { SECRET, signatureIsValid } from './signature.ts';

const settingsSchema = z.object({ secret: z.string().regex(SECRET).nullable(), down: z.boolean() });
const settingsChange = settingsSchema.partial().transform(({ secret, down }) => ({
  ...(secret === undefined ? {} : { secret }),
  ...(down === undefined ? {} : { down }),
}));

const eventsQuery = z.object({
  /** Only events with a higher number. */
  since: z.coerce.number().default(0),
  /** Only this event, by its `webhook-id`. */
  webhookId: z.string().optional(),
  /** The newest of them. */
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
});
const text = z.string().nullable();
const eventSchema = z.object({
  number: z.number(),
  tenantId: z.string(),
  receivedAt: z.string(),
  headers: z.object({ 'webhook-id': text, 'webhook-timestamp': text, 'webhook-signature': text }),
  raw: z.string(),
  signature: z.enum(['valid', 'invalid']).nullable(),
  body: z.unknown(),
});

function receive(receivers: Receivers, call: Call): ApiResponse {
  const tenantId = param(call, 'tenantId');
  const { secret, down } = receivers.settingsOf(tenantId);
  if (down) throw new SandboxError(503, 'down', 'the merchant’s receiver is down');
  const headers = {
    'webhook-id': header(call, 'webhook-id') ?? null,
    'webhook-timestamp': header(call, 'webhook-timestamp') ?? null,
    'webhook-signature': header(call, 'webhook-signature') ?? null,
  };
  const valid = secret === null ? null : signatureIsValid(secret, headers, call.body);
  receivers.add({
    tenantId,
    receivedAt: new Date().toISOString(),
    headers,
    raw: call.body.toString('utf8'),
    signature: valid === null ? null : valid ? 'valid' : 'invalid',
  });
  return ok({ received: true });
}

const shown = (event: MerchantEvent) => ({ ...event, body: bodyOf(event) });

/** A merchant's receiver of events, per tenant, and its control: a secret, being down, and what has arrived. */
export function merchantRoutes({ receivers }: { receivers: Receivers }): Route[] {
  const path = '/sandbox/merchant/{tenantId}';
  return [
    route(
      { code: 'merchant.events', method: 'POST', path: `${path}/events` },
      { summary: 'Receives an event as the tenant’s merchant, whether or not its signature is valid' },
      (call) => receive(receivers, call),
    ),
    control(
      'GET',
      `${path}/events`,
      {
        summary: 'The newest 1,000 events that a merchant received',
        query: eventsQuery,
        response: z.object({ total: z.number(), items: z.array(eventSchema) }),
      },
      (call) => {
        const { since, webhookId, limit } = readQuery(call);
        const matching = receivers
          .eventsOf(param(call, 'tenantId'))
          .filter(({ number, headers }) => number > since && (!webhookId || headers['webhook-id'] === webhookId));
        return ok({ total: matching.length, items: matching.slice(-limit).map(shown) });
      },
    ),
    control('GET', path, { summary: 'The settings of a merchant’s receiver', response: settingsSchema }, (call) =>
      ok(receivers.settingsOf(param(call, 'tenantId'))),
    ),
    control(
      'PUT',
      path,
      {
        summary: 'Changes the secret of a merchant’s receiver, or whether it is down',
        body: settingsChange,
        response: settingsSchema,
      },
      (call) => ok(receivers.change(param(call, 'tenantId'), readJson(call))),
    ),
  ];
}

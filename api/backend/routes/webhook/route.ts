import type { OutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import { newWebhookSecret } from '#clients/webhooks/standard-webhooks.ts';
import { createEndpoint } from '#commands/outreach/webhooks/create-endpoint.ts';
import { deleteEndpoint } from '#commands/outreach/webhooks/delete-endpoint.ts';
import { putWebhook } from '#commands/outreach/webhooks/put-webhook.ts';
import { redeliver } from '#commands/outreach/webhooks/redeliver.ts';
import { rotateSecret } from '#commands/outreach/webhooks/rotate-secret.ts';
import { testEndpoint } from '#commands/outreach/webhooks/test-endpoint.ts';
import { updateEndpoint } from '#commands/outreach/webhooks/update-endpoint.ts';
import type { Database } from '#db/database.ts';
import { listDeliveries } from '#db/outreach/webhooks/deliveries.ts';
import { listEvents } from '#db/outreach/webhooks/events.ts';
import { type Endpoint, findEndpoint, findOldestEndpoint, listEndpoints } from '#db/outreach/webhooks/webhooks.ts';
import { etagOf } from '#domain/api/if-match.ts';
import { eventOperations } from '#domain/api/outgoing-events.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { webhookOperations } from '#domain/api/webhook.ts';
import { mapPage } from '#domain/cursor.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { ifMatch } from '#api/backend/if-match.ts';
import { presentDelivery, presentEndpoint } from './present.ts';

async function assertOutside(targets: OutsideAddresses, url: string): Promise<void> {
  const problem = await targets.problemOf(new URL(url));
  if (problem === null) return;
  throw new Problem('invalid_content', `The URL ${problem}`, { errors: [invalidField('/url', 'not_public')] });
}

/** @throws Problem `invalid_state` if the tenant has none. */
async function oldestEndpoint(database: Database, tenantId: string): Promise<Endpoint> {
  const endpoint = await findOldestEndpoint(database, tenantId);
  if (!endpoint) throw new Problem('invalid_state', 'The tenant has no webhook');
  return endpoint;
}

/** The oldest endpoint, as one without an id of its own. */
function webhookRoutesOfOldest(serve: ServeActor, { database, encryption, targets }: BackendDeps): void {
  serve(webhookOperations.getWebhook, {
    handle: async ({ ctx, actor }) => {
      const endpoint = await findOldestEndpoint(database, actor.tenantId);
      if (endpoint) ctx.set('ETag', etagOf(endpoint.revision));
      return { webhook: endpoint && presentEndpoint(endpoint) };
    },
  });

  serve(webhookOperations.putWebhook, {
    handle: async ({ actor, headers, body: { url, eventTypes, secret = null } }) => {
      await assertOutside(targets, url);
      const made = newWebhookSecret();
      const put = { url, eventTypes, secret, made, checkRevision: ifMatch(headers['if-match']) };
      const { endpoint, isMade } = await putWebhook(database, encryption, authorOf(actor), put);
      return { ...presentEndpoint(endpoint), ...(isMade ? { secret: made } : {}) };
    },
  });

  serve(webhookOperations.deleteWebhook, {
    handle: async ({ actor, headers }) => {
      const checkRevision = ifMatch(headers['if-match']);
      const endpoint = await findOldestEndpoint(database, actor.tenantId);
      if (endpoint) await deleteEndpoint(database, authorOf(actor), endpoint.endpointId, checkRevision);
      else checkRevision(null);
      return undefined;
    },
  });

  serve(webhookOperations.rotateWebhookSecret, {
    handle: async ({ actor }) => {
      const secret = newWebhookSecret();
      const { endpointId } = await oldestEndpoint(database, actor.tenantId);
      return {
        ...presentEndpoint(await rotateSecret(database, encryption, authorOf(actor), endpointId, secret)),
        secret,
      };
    },
  });
}

function deliveryRoutesOfOldest(serve: ServeActor, { database }: BackendDeps): void {
  serve(webhookOperations.testWebhook, {
    handle: async ({ actor }) =>
      presentDelivery(
        await testEndpoint(database, authorOf(actor), (await oldestEndpoint(database, actor.tenantId)).endpointId),
      ),
  });

  serve(webhookOperations.listWebhookDeliveries, {
    handle: async ({ actor: { tenantId }, query }) => {
      const endpoint = await findOldestEndpoint(database, tenantId);
      if (!endpoint) return { items: [], nextCursor: null };
      return mapPage(
        await listDeliveries(database, { tenantId, endpointId: endpoint.endpointId }, query),
        presentDelivery,
      );
    },
  });

  serve(webhookOperations.redeliverEvent, {
    handle: async ({ actor, params: { deliveryId } }) => {
      const endpoint = await findOldestEndpoint(database, actor.tenantId);
      if (!endpoint) throw new Problem('not_found', 'There is no such delivery');
      const { endpointId } = endpoint;
      return presentDelivery(await redeliver(database, authorOf(actor), { endpointId, deliveryId }));
    },
  });
}

interface EndpointCall {
  actor: Actor;
  params: { endpointId: string };
}

const endpointLoader =
  (database: Database) =>
  async ({ actor: { tenantId }, params: { endpointId } }: EndpointCall): Promise<Endpoint> => {
    const endpoint = await findEndpoint(database, { tenantId, endpointId });
    if (!endpoint) throw new Problem('not_found', 'There is no endpoint with this id');
    return endpoint;
  };

function endpointRoutes(serve: ServeActor, { database, encryption, targets }: BackendDeps): void {
  const load = endpointLoader(database);

  serve(webhookOperations.listWebhookEndpoints, {
    handle: async ({ actor }) => ({
      items: (await listEndpoints(database, actor.tenantId)).map(presentEndpoint),
      nextCursor: null,
    }),
  });

  serve(webhookOperations.createWebhookEndpoint, {
    handle: async ({ actor, body: { url, eventTypes, secret } }) => {
      await assertOutside(targets, url);
      const made = secret ?? newWebhookSecret();
      const endpoint = await createEndpoint(database, encryption, authorOf(actor), { url, eventTypes, secret: made });
      return { ...presentEndpoint(endpoint), secret: made };
    },
  });

  serve(webhookOperations.getWebhookEndpoint, {
    load,
    handle: ({ loaded }) => Promise.resolve(presentEndpoint(loaded)),
  });

  serve(webhookOperations.updateWebhookEndpoint, {
    load,
    current: ({ loaded }) => presentEndpoint(loaded),
    handle: async ({ actor, params, headers, body }) => {
      if (body.url !== undefined) await assertOutside(targets, body.url);
      const change = { ...body, checkRevision: ifMatch(headers['if-match']) };
      return presentEndpoint(await updateEndpoint(database, encryption, authorOf(actor), params.endpointId, change));
    },
  });

  serve(webhookOperations.deleteWebhookEndpoint, {
    handle: async ({ actor, params, headers }) => {
      await deleteEndpoint(database, authorOf(actor), params.endpointId, ifMatch(headers['if-match']));
      return undefined;
    },
  });
}

function deliveryRoutes(serve: ServeActor, { database, encryption }: BackendDeps): void {
  const load = endpointLoader(database);

  serve(webhookOperations.rotateEndpointSecret, {
    handle: async ({ actor, params }) => {
      const secret = newWebhookSecret();
      const endpoint = await rotateSecret(database, encryption, authorOf(actor), params.endpointId, secret);
      return { ...presentEndpoint(endpoint), secret };
    },
  });

  serve(webhookOperations.testWebhookEndpoint, {
    handle: async ({ actor, params }) =>
      presentDelivery(await testEndpoint(database, authorOf(actor), params.endpointId)),
  });

  serve(webhookOperations.listEndpointDeliveries, {
    load,
    handle: async ({ actor: { tenantId }, params: { endpointId }, query }) =>
      mapPage(await listDeliveries(database, { tenantId, endpointId }, query), presentDelivery),
  });

  serve(webhookOperations.redeliverEndpointEvent, {
    handle: async ({ actor, params }) => presentDelivery(await redeliver(database, authorOf(actor), params)),
  });
}

/** Where a tenant receives its events, what became of each, and the events themselves. */
export function webhookRoutes(serve: ServeActor, deps: BackendDeps): void {
  webhookRoutesOfOldest(serve, deps);
  deliveryRoutesOfOldest(serve, deps);
  endpointRoutes(serve, deps);
  deliveryRoutes(serve, deps);

  serve(eventOperations.listEvents, {
    handle: async ({ actor, query }) => {
      const found = await listEvents(deps.database, actor.tenantId, query);
      const items = found.slice(0, query.limit);
      return { items, nextCursor: found.length > items.length ? (items.at(-1)?.eventId ?? null) : null };
    },
  });
}

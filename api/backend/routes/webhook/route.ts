import type { OutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import { newWebhookSecret } from '#clients/webhooks/standard-webhooks.ts';
import { type DeliveryRecord, listDeliveries } from '#db/outreach/webhooks/deliveries.ts';
import { insertTestEvent } from '#commands/outreach/webhooks/insert-test-event.ts';
import { redeliver } from '#commands/outreach/webhooks/redeliver.ts';
import { deleteWebhook } from '#commands/outreach/webhooks/delete-webhook.ts';
import { findWebhook, type Webhook } from '#db/outreach/webhooks/webhooks.ts';
import { putWebhook } from '#commands/outreach/webhooks/put-webhook.ts';
import { rotateSecret } from '#commands/outreach/webhooks/rotate-secret.ts';
import { etagOf } from '#domain/api/if-match.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { type EventDelivery, type EventWebhook, webhookOperations } from '#domain/api/webhook.ts';
import { mapPage } from '#domain/cursor.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { ifMatch } from '#api/backend/if-match.ts';

const presentWebhook = ({ createdAt, updatedAt, previousUntil, revision, ...webhook }: Webhook): EventWebhook => ({
  ...webhook,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  previousUntil: previousUntil?.toISOString() ?? null,
  etag: etagOf(revision),
});

const presentDelivery = (delivery: DeliveryRecord): EventDelivery => ({
  deliveryId: delivery.deliveryId,
  eventId: delivery.eventId,
  type: delivery.type,
  campaignId: delivery.campaignId,
  contacts: delivery.contacts,
  status: delivery.status,
  attempts: delivery.attempts,
  lastStatus: delivery.lastStatus,
  lastError: delivery.lastError,
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  createdAt: delivery.createdAt.toISOString(),
});

async function assertOutside(targets: OutsideAddresses, url: string): Promise<void> {
  const problem = await targets.problemOf(new URL(url));
  if (problem === null) return;
  throw new Problem('invalid_content', `The URL ${problem}`, { errors: [invalidField('/url', 'not_public')] });
}

function targetRoutes(serve: ServeActor, { database, encryption, targets }: BackendDeps): void {
  serve(webhookOperations.getWebhook, {
    handle: async ({ ctx, actor }) => {
      const webhook = await findWebhook(database, actor.tenantId);
      if (webhook) ctx.set('ETag', etagOf(webhook.revision));
      return { webhook: webhook && presentWebhook(webhook) };
    },
  });

  serve(webhookOperations.putWebhook, {
    handle: async ({ actor, headers, body: { url, eventTypes, secret = null } }) => {
      await assertOutside(targets, url);
      const made = newWebhookSecret();
      const put = { url, eventTypes, secret, made, checkRevision: ifMatch(headers['if-match']) };
      const { webhook, isMade } = await putWebhook(database, encryption, authorOf(actor), put);
      return { ...presentWebhook(webhook), ...(isMade ? { secret: made } : {}) };
    },
  });

  serve(webhookOperations.deleteWebhook, {
    handle: async ({ actor, headers }) => {
      await deleteWebhook(database, authorOf(actor), ifMatch(headers['if-match']));
      return undefined;
    },
  });

  serve(webhookOperations.rotateWebhookSecret, {
    handle: async ({ actor }) => {
      const secret = newWebhookSecret();
      return { ...presentWebhook(await rotateSecret(database, encryption, authorOf(actor), secret)), secret };
    },
  });
}

function deliveryRoutes(serve: ServeActor, { database }: BackendDeps): void {
  serve(webhookOperations.testWebhook, {
    handle: async ({ actor }) => presentDelivery(await insertTestEvent(database, authorOf(actor))),
  });

  serve(webhookOperations.listWebhookDeliveries, {
    handle: async ({ actor, query }) => mapPage(await listDeliveries(database, actor.tenantId, query), presentDelivery),
  });

  serve(webhookOperations.redeliverEvent, {
    handle: async ({ actor, params: { deliveryId } }) =>
      presentDelivery(await redeliver(database, authorOf(actor), deliveryId)),
  });
}

/** A tenant's webhook endpoint and its deliveries. */
export function webhookRoutes(serve: ServeActor, deps: BackendDeps): void {
  targetRoutes(serve, deps);
  deliveryRoutes(serve, deps);
}

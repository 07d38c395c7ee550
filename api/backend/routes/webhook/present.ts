import { statusOf } from '#commands/outreach/webhooks/endpoints.ts';
import type { DeliveryRecord } from '#db/outreach/webhooks/deliveries.ts';
import type { Endpoint } from '#db/outreach/webhooks/webhooks.ts';
import { etagOf } from '#domain/api/if-match.ts';
import type { EventDelivery, EventWebhook } from '#domain/api/webhook.ts';

export const presentEndpoint = ({
  createdAt,
  updatedAt,
  previousUntil,
  revision,
  pausedFor,
  ...endpoint
}: Endpoint): EventWebhook => ({
  ...endpoint,
  status: statusOf({ pausedFor }),
  pauseReason: pausedFor,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  previousUntil: previousUntil?.toISOString() ?? null,
  etag: etagOf(revision),
});

export const presentDelivery = ({
  nextAttemptAt,
  createdAt,
  position: _position,
  ...delivery
}: DeliveryRecord): EventDelivery => ({
  ...delivery,
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});

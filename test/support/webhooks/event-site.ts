import { createRelay, type DeliveryResult, type Relay, type RelayLimits } from '#api/runtime/webhooks/relay.ts';
import { createLogger } from '#api/runtime/logger.ts';
import { createOutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import { createWebhookClient, createWebhookExchange } from '#clients/webhooks/webhook-client.ts';
import { rows } from '#db/database.ts';
import { claimDeliveries, noteAttempt } from '#db/outreach/webhooks/relay.ts';
import { settleDelivery } from '#db/webhooks/claims.ts';
import { outgoingEventSchema } from '#domain/api/outgoing-events.ts';
import { outgoingEventTypes } from '#domain/api/webhook.ts';
import { type Receiver, startReceiver, verified } from '#test/orders/support/merchant-receiver.ts';
import { eventually } from '../time/eventually.ts';
import type { ApiResponse, TestBackend } from '../services/backend.ts';
import { openSendingSite, type SendingSite } from '../services/sending-site.ts';

/** An event as its receiver reads it. */
export interface OutgoingEvent {
  type: string;
  timestamp: string;
  data: Record<string, unknown> & { clicks?: { contactId: string }[]; contacts?: { contactId: string }[] };
}

/** A tenant with a platform, a receiver of its events, and the relay between. */
export async function openEventSite(backend: TestBackend, onAttempt: (result: DeliveryResult) => void = () => {}) {
  const site = await openSendingSite(backend.db, { encryption: backend.encryption });
  const receiver: Receiver = await startReceiver();
  const targets = createOutsideAddresses({ production: false });
  const exchange = createWebhookExchange(targets);
  const relays: { relay: Relay; run: Promise<void> }[] = [];
  const { tenantId } = site.tenant;

  const as = async (role: 'tenant_admin' | 'marketing_operator' | 'viewer' = 'tenant_admin') =>
    backend.token(tenantId, role);
  const call = async (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    backend.call(method, path, { token: await as(), ...(body === undefined ? {} : { body }) });

  return {
    ...site,
    receiver,
    tenantId,
    as,
    call,
    /** Sets the webhook. @returns its secret. */
    async configure(eventTypes: readonly string[] = outgoingEventTypes): Promise<string> {
      const { status, body } = await call('PUT', '/webhook', { url: `${receiver.url}/hook`, eventTypes });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return String(body.secret);
    },
    startRelay(limits: Partial<RelayLimits> = {}): void {
      const relay = createRelay({
        database: backend.db,
        deliveries: { claim: claimDeliveries, end: settleDelivery, note: noteAttempt },
        encryption: backend.encryption,
        client: createWebhookClient({ exchange, targets }),
        logger: createLogger('backend', 'silent'),
        onAttempt,
        limits: { pollMs: 20, ...limits },
      });
      relays.push({ relay, run: relay.run() });
    },
    async stopRelays(): Promise<void> {
      for (const { relay } of relays) relay.shutdown();
      await Promise.all(relays.splice(0).map(({ run }) => run));
    },
    /** What would be due in a while is due now. */
    hurry: () =>
      rows(
        backend.db,
        `update delivery set next_attempt_at = now() where status = 'pending' and tenant_id = :tenantId`,
        {
          tenantId,
        },
      ),
    settled: () =>
      eventually('all is settled', async () => {
        const open = await rows(
          backend.db,
          `select 1 from delivery where tenant_id = :tenantId and status = 'pending'`,
          { tenantId },
        );
        return open.length === 0;
      }),
    /** The events that were received, in order, if the reference library accepts each by the secret. */
    read: (secret: string): OutgoingEvent[] =>
      receiver.received.map((received) => {
        const event = verified(secret, received);
        // As it is described to those who receive it.
        outgoingEventSchema.parse(event);
        return event as unknown as OutgoingEvent;
      }),
    async close(): Promise<void> {
      for (const { relay } of relays) relay.shutdown();
      await Promise.all(relays.map(({ run }) => run));
      await exchange.destroy();
      await receiver.close();
      await site.close();
    },
  };
}

export type EventSite = Awaited<ReturnType<typeof openEventSite>> & SendingSite;

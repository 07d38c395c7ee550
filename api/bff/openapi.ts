import { aiOperations } from '#domain/api/ai.ts';
import { inboundOperations } from '#domain/api/inbound.ts';
import { frontendOperations } from '#domain/api/index.ts';
import { AI_PREFIX } from './routes/forwarded.ts';
import { outgoingEventSchema } from '#domain/api/outgoing-events.ts';
import { signInOperations } from '#domain/api/session.ts';
import type { OpenApiDocument } from '../http/openapi.ts';
import { openApiDocument } from '../http/problem-api.ts';
import { describeWebhook } from '../runtime/webhooks/description.ts';

const description =
  'The frontend API under /api/v1, with a session cookie or a platform token as bearer. Its POSTs take an ' +
  '`Idempotency-Key`: within 24 h a retry with the same path, query and body has no effect, and gets the first answer with ' +
  '`Idempotency-Replayed: true`; after 401, 403, 408, 413, 415, 429 and 5xx the key was not used. And the inbound protocol, ' +
  'which the platform calls with signed requests. `/transaction/*`, here and under /api/v1, is the order service’s: its own ' +
  'document describes it.';

const campaignEvents = describeWebhook({
  name: 'campaignEvent',
  summary: 'What happened to a campaign, sent to the webhook of its tenant',
  about: `Each event is sent at least once, and those of one campaign in their order: the next one only after the one before
was accepted or given up. Clicks and tags gather in one event until it is sent for the first time.`,
  body: outgoingEventSchema.meta({ id: 'CampaignEvent' }),
});

/** The document served at `/openapi.json`. */
export function bffOpenApi(): OpenApiDocument {
  const groups = [
    { prefix: '/api/v1', operations: { ...signInOperations, ...frontendOperations } },
    { prefix: AI_PREFIX, operations: aiOperations },
    { prefix: '', operations: inboundOperations },
  ];
  return openApiDocument('Outreach', description, groups, [campaignEvents]);
}

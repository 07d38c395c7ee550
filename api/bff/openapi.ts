import { aiOperations } from '../../domain/api/ai.ts';
import { inboundOperations } from '../../domain/api/inbound.ts';
import { frontendOperations } from '../../domain/api/index.ts';
import { AI_PREFIX } from './routes/forwarded.ts';
import { signInOperations } from '../../domain/api/session.ts';
import type { OpenApiDocument } from '../http/openapi.ts';
import { openApiDocument } from '../http/problem-api.ts';

const description =
  'The frontend API under /api/v1, with a session cookie or a platform token as bearer; and the inbound protocol, ' +
  'which the platform calls with signed requests. `/transaction/*`, here and under /api/v1, is the order service’s: its own ' +
  'document describes it.';

/** The document served at `/openapi.json`. */
export function bffOpenApi(): OpenApiDocument {
  return openApiDocument('Outreach', description, [
    { prefix: '/api/v1', operations: { ...signInOperations, ...frontendOperations } },
    { prefix: AI_PREFIX, operations: aiOperations },
    { prefix: '', operations: inboundOperations },
  ]);
}

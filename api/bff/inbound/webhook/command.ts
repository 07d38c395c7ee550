import {
  type Envelope,
  envelopeSchema,
  eventDataSchemas,
  type HandledEventType,
  handledEventTypes,
  type IntakeCommand,
} from '#domain/api/events.ts';
import { receivedId } from '#domain/api/primitives.ts';
import { type FieldError, fieldErrors, Problem } from '#domain/api/problem.ts';
import { memberText } from '#domain/json-text.ts';
import { parseJsonText, textOf } from '#api/http/body.ts';

const isHandled = (eventType: string): eventType is HandledEventType =>
  (handledEventTypes as readonly string[]).includes(eventType);

function reject(errors: FieldError[]): never {
  throw new Problem('invalid_request', 'The event does not match its schema', { errors });
}

function checkData(envelope: Envelope, eventType: HandledEventType): void {
  const fits = eventDataSchemas[eventType].safeParse(envelope.data);
  if (!fits.success) reject(fieldErrors(fits.error, '/data'));
  if (eventType === 'notice.clicked' && !envelope.scope?.serviceNumberId) {
    reject([{ path: '/scope/serviceNumberId', message: 'is required for notice.clicked' }]);
  }
}

/** The event's service number: from its scope if it has one, otherwise from its data. */
function serviceNumberOf(envelope: Envelope): string | null {
  return envelope.scope?.serviceNumberId ?? receivedId.safeParse(envelope.data['serviceNumberId']).data ?? null;
}

/**
 * The normalised command of a verified webhook body; undefined for an event type that is not handled.
 * @throws Problem `invalid_request` if envelope or data are invalid.
 */
export function webhookCommand(tenantIntegrationId: string, body: Buffer): IntakeCommand | undefined {
  const text = textOf(body);
  const result = envelopeSchema.safeParse(text === '' ? undefined : parseJsonText(text));
  if (!result.success) reject(fieldErrors(result.error));
  const envelope = result.data;
  const { eventId, eventType, occurredAt } = envelope;
  if (!isHandled(eventType)) return undefined;
  checkData(envelope, eventType);
  return {
    tenantIntegrationId,
    eventId,
    eventType,
    occurredAt,
    serviceNumberId: serviceNumberOf(envelope),
    payload: memberText(text, 'data') ?? '{}',
  };
}

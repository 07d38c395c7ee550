import { contactEventTypes, type HandledEventType } from '#domain/api/events.ts';
import { attributeClicks } from './clicks.ts';
import { updateProfiles } from './contacts.ts';
import { eventTriggers, type EventTrigger } from '#domain/rules/triggers.ts';
import type { EventHandler, Handlers } from './handler.ts';
import { withRules } from './rules.ts';
import { endConversations, openConversations } from './sessions.ts';

/** Does not compile if a type of event has no handler. */
const complete = <const Given extends Handlers>(
  handlers: HandledEventType extends Given[number][0][number] ? Given : never,
): Handlers => handlers;

const isTrigger = (type: HandledEventType): type is EventTrigger =>
  (eventTriggers as readonly HandledEventType[]).includes(type);

/**
 * The handlers of each event type, in the order in which a batch is handled: openings before closings, so that those
 * in one batch find each other. Rules are applied after whatever can trigger one.
 */
export const eventHandlers: Handlers = complete([
  [contactEventTypes, updateProfiles],
  [['session.created'], openConversations],
  [['notice.clicked'], attributeClicks],
  [['session.closed'], endConversations],
]).map(([types, handle]) => [
  types,
  types.filter(isTrigger).reduce<EventHandler>((inner, trigger) => withRules(trigger, inner), handle),
]);

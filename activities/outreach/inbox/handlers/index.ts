import { contactEventTypes, type HandledEventType } from '#domain/api/events.ts';
import { attributeClicks } from './clicks.ts';
import { updateProfiles } from './contacts.ts';
import type { Handlers } from './handler.ts';
import { withRules } from './rules.ts';
import { endConversations, openConversations } from './sessions.ts';

/** Does not compile if a type of event has no handler. */
const complete = <const Given extends Handlers>(
  handlers: HandledEventType extends Given[number][0][number] ? Given : never,
): Handlers => handlers;

/**
 * The handlers of each event type, in the order in which a batch is handled: openings before closings, so that those
 * in one batch find each other.
 */
export const eventHandlers = complete([
  [contactEventTypes, updateProfiles],
  [['session.created'], withRules('session.created', openConversations)],
  [['notice.clicked'], withRules('notice.clicked', attributeClicks)],
  [['session.closed'], withRules('session.closed', endConversations)],
]);

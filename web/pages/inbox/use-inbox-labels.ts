import { useI18n } from 'vue-i18n';
import type { HandledEventType } from '#domain/api/events.ts';
import type { InboxStatus } from '#domain/api/inbox.ts';
import { ERASED_REASON, REFUSED_BY_DATABASE } from '#domain/event-errors.ts';
import { inboxStatusStyle, type StatusStyle } from '#web/components/status/status.ts';

/** Every type of event that is handled: the record's type makes sure that none is missing. */
const handled: Record<HandledEventType, true> = {
  'notice.clicked': true,
  'session.created': true,
  'session.closed': true,
  'contact.entered': true,
  'contact.followed': true,
  'contact.unfollowed': true,
  'contact.unsubscribed': true,
  'contact.resubscribed': true,
  'contact.updated': true,
};
export const eventTypes = Object.keys(handled) as HandledEventType[];
export const eventTypeOf = (name: string | undefined): HandledEventType | undefined =>
  eventTypes.find((known) => known === name);

const missing = /^There was no (task|session)\b.* within 24 hours$/;
/** What the schema of an event reports: the place in its data, and the reason in English. */
const malformed = /^\/([\w/.-]*): /;
const refused = new RegExp(`^${REFUSED_BY_DATABASE} \\((\\w{5})\\): `);

/** What an SQLSTATE means for whoever looks at the event; classes are their first two characters. */
const refusals = [
  ['22003', 'tooLarge'],
  ['22001', 'tooLong'],
  ['23', 'contradicts'],
] as const;

function refusalOf(state: string) {
  return refusals.find(([prefix]) => state.startsWith(prefix))?.[1] ?? 'unstorable';
}

/** Why an event waits or has failed, as text. */
export function useInboxLabels() {
  const { t, te } = useI18n();
  return {
    /** In words of an operator; `technical` is the text to hand on where the words are less than it. */
    failureOf(reason: string): { words: string; technical: string | null } {
      if (reason === ERASED_REASON) return { words: t('inbox.contactErased'), technical: null };
      const context = missing.exec(reason)?.[1];
      if (context) return { words: t(`inbox.missing.${context}`), technical: null };
      const place = malformed.exec(reason)?.[1];
      if (place) return { words: t('inbox.failure.malformed', { place }), technical: reason };
      const state = refused.exec(reason)?.[1];
      const kind = state === undefined ? 'defect' : refusalOf(state);
      return { words: t(`inbox.failure.${kind}`), technical: reason };
    },
    /** `task:t-1`, or `task` alone. */
    waitOf(waitingFor: string): string {
      const [context = '', ...id] = waitingFor.split(':');
      if (!te(`inbox.waits.${context}`)) return waitingFor;
      return id.length > 0
        ? t('inbox.waitsFor', { what: t(`inbox.waits.${context}`), id: id.join(':') })
        : t(`inbox.waits.${context}`);
    },
    /** Appearance of an event's state; one that waits for its context looks different from one that is due. */
    look({ status, waitingFor }: { status: InboxStatus; waitingFor?: string | null | undefined }): {
      look: StatusStyle;
      label: string;
    } {
      const waits = status === 'stored' && Boolean(waitingFor);
      return waits
        ? { look: { color: 'warning', icon: 'i-lucide-hourglass' }, label: t('inbox.state.waiting') }
        : { look: inboxStatusStyle[status], label: t(`inbox.state.${status}`) };
    },
  };
}

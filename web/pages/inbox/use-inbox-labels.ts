import { useI18n } from 'vue-i18n';
import type { HandledEventType } from '../../../domain/api/events.ts';
import { ERASED_REASON, type InboxStatus } from '../../../domain/api/inbox.ts';
import { inboxStatusLook, type StatusLook } from '../../components/status/status.ts';

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

/** Why an event waits or has failed, as text. */
export function useInboxLabels() {
  const { t, te } = useI18n();
  return {
    /** The inbox's own reasons have translations; a handler's reasons are shown as they are. */
    reasonOf(reason: string): string {
      if (reason === ERASED_REASON) return t('inbox.contactErased');
      const context = missing.exec(reason)?.[1];
      return context ? t(`inbox.missing.${context}`) : reason;
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
      look: StatusLook;
      label: string;
    } {
      const waits = status === 'stored' && Boolean(waitingFor);
      return waits
        ? { look: { color: 'warning', icon: 'i-lucide-hourglass' }, label: t('inbox.state.waiting') }
        : { look: inboxStatusLook[status], label: t(`inbox.state.${status}`) };
    },
  };
}

import type { Journal } from '../journal.ts';
import { createId } from '../random.ts';
import { generatedId } from './contacts.ts';
import type { Contact, ContactRange, Contacts } from './contacts.ts';
import { draftDelivery } from './webhooks.ts';
import type { Webhooks } from './webhooks.ts';

/** The announcement of a run of made-up contacts, and how far it has come. */
interface Emission {
  emissionId: string;
  tenantIntegrationId: string;
  url: string;
  range: ContactRange;
  occurredAt: string;
  /** All before this index have been delivered. */
  done: number;
}

type Entry = { kind: 'emission'; emission: Emission } | { kind: 'progress'; emissionId: string; done: number };

const PROGRESS_STEP = 250;

/** `contact.*` events. Runs of contacts are announced from their range, so that a million costs no memory. */
export function createContactEvents(journal: Journal, contacts: Contacts, webhooks: Webhooks) {
  const emissions = new Map<string, Emission>();
  const finished = new Map<string, () => void>();

  const record = journal.register<Entry>('emissions', {
    apply(entry) {
      if (entry.kind === 'emission') emissions.set(entry.emission.emissionId, entry.emission);
      else {
        const emission = emissions.get(entry.emissionId);
        if (emission) emission.done = entry.done;
        if (emission && entry.done >= emission.range.count) emissions.delete(entry.emissionId);
      }
    },
    *dump() {
      for (const emission of emissions.values()) yield { kind: 'emission', emission };
    },
  });

  function run(emission: Emission): void {
    const { range } = emission;
    let next = emission.done;
    let low = emission.done;
    const ahead = new Set<number>();
    const indexOf = new Map<string, number>();
    const stopListening = webhooks.onEnd((delivery) => {
      const index = indexOf.get(delivery.deliveryId);
      if (index === undefined) return;
      indexOf.delete(delivery.deliveryId);
      ahead.add(index);
      while (ahead.delete(low)) low += 1;
      if (low < range.count && low - emission.done < PROGRESS_STEP) return;
      record({ kind: 'progress', emissionId: emission.emissionId, done: low });
      if (low < range.count) return;
      stopListening();
      finished.get(emission.emissionId)?.();
      finished.delete(emission.emissionId);
    });
    webhooks.feed({
      tenantIntegrationId: emission.tenantIntegrationId,
      next() {
        if (next >= range.count) return undefined;
        const delivery = announcement(emission, next);
        indexOf.set(delivery.deliveryId, next);
        next += 1;
        return delivery;
      },
    });
  }

  function announcement(emission: Emission, index: number) {
    const { serviceNumberId, prefix, from } = emission.range;
    const contactId = generatedId(prefix, from + index);
    const contact = contacts.find(serviceNumberId, contactId);
    return draftDelivery(emission, {
      eventType: 'contact.entered',
      eventId: `evt_${emission.emissionId}_${index}`,
      serviceNumberId,
      occurredAt: emission.occurredAt,
      data: contact ? contactData(serviceNumberId, contact) : { contactId, serviceNumberId },
    });
  }

  return {
    /** Announces every contact of a run; the promise ends when all have been delivered or refused. */
    announce(to: { tenantIntegrationId: string; url: string }, range: ContactRange): Promise<void> {
      const emissionId = createId('emission');
      const occurredAt = new Date().toISOString();
      const ended = new Promise<void>((resolve) => finished.set(emissionId, resolve));
      const { tenantIntegrationId, url } = to;
      record({ kind: 'emission', emission: { emissionId, tenantIntegrationId, url, range, occurredAt, done: 0 } });
      const emission = emissions.get(emissionId);
      if (emission) run(emission);
      return ended;
    },
    resume(): void {
      for (const emission of emissions.values()) run(emission);
    },
    /** Contacts whose announcement has not been delivered yet. */
    outstanding: () => [...emissions.values()].reduce((sum, { range, done }) => sum + range.count - done, 0),
  };
}

export type ContactEvents = ReturnType<typeof createContactEvents>;

/** The data of a `contact.*` event. */
export function contactData(serviceNumberId: string, contact: Contact): Record<string, unknown> {
  const { contactId, displayName, channel, language, region, attributes } = contact;
  return { contactId, serviceNumberId, displayName, channel, language, region, attributes };
}

import type { Journal } from '#sandbox/journal.ts';
import { createId } from '#sandbox/random.ts';
import { generatedId } from './contacts.ts';
import type { Contact } from './contact.ts';
import type { ContactRange, Contacts } from './contacts.ts';
import { draftDelivery } from '../webhooks/webhooks.ts';
import type { Recipient, Webhooks } from '../webhooks/webhooks.ts';

/** The announcement of a range of generated contacts, and its progress. */
interface Emission extends Recipient {
  emissionId: string;
  range: ContactRange;
  occurredAt: string;
  /** Everything before this index has been delivered. */
  done: number;
}

type Entry = { kind: 'emission'; emission: Emission } | { kind: 'progress'; emissionId: string; done: number };

const PROGRESS_STEP = 250;

function createEmissions(journal: Journal) {
  const emissions = new Map<string, Emission>();
  const record = journal.register<Entry>('emissions', {
    apply(entry) {
      if (entry.kind === 'emission') {
        emissions.set(entry.emission.emissionId, entry.emission);
        return;
      }
      const emission = emissions.get(entry.emissionId);
      if (!emission) return;
      emission.done = entry.done;
      if (entry.done >= emission.range.count) emissions.delete(entry.emissionId);
    },
    *dump() {
      for (const emission of emissions.values()) yield { kind: 'emission', emission };
    },
  });
  return {
    list: () => [...emissions.values()],
    begin: (emission: Emission) => record({ kind: 'emission', emission }),
    advance: (emissionId: string, done: number) => record({ kind: 'progress', emissionId, done }),
  };
}

/** `contact.*` events. Ranges of contacts are announced from the range itself, so that a million costs no memory. */
export function createContactEvents(journal: Journal, contacts: Contacts, webhooks: Webhooks) {
  const emissions = createEmissions(journal);

  /** Feeds an announcement to the queue; resolves with the last delivery. */
  function run(emission: Emission): Promise<void> {
    const { emissionId, range } = emission;
    const indexOf = new Map<string, number>();
    const ahead = new Set<number>();
    let next = emission.done;
    let low = emission.done;
    return new Promise((resolve) => {
      const stopListening = webhooks.onEnd(({ deliveryId }) => {
        const index = indexOf.get(deliveryId);
        if (index === undefined) return;
        indexOf.delete(deliveryId);
        ahead.add(index);
        while (ahead.delete(low)) low += 1;
        if (low < range.count && low - emission.done < PROGRESS_STEP) return;
        emissions.advance(emissionId, low);
        if (low < range.count) return;
        stopListening();
        resolve();
      });
      webhooks.feed({
        tenantIntegrationId: emission.tenantIntegrationId,
        next() {
          if (next >= range.count) return undefined;
          const delivery = announcement(contacts, emission, next);
          indexOf.set(delivery.deliveryId, next);
          next += 1;
          return delivery;
        },
      });
    });
  }

  return {
    /** Announces every contact of a range; resolves when all have been delivered or rejected. */
    announce({ tenantIntegrationId, url }: Recipient, range: ContactRange): Promise<void> {
      const emissionId = createId('emission');
      const emission = { emissionId, tenantIntegrationId, url, range, occurredAt: new Date().toISOString(), done: 0 };
      emissions.begin(emission);
      return run(emission);
    },
    resume(): void {
      for (const emission of emissions.list()) void run(emission);
    },
    /** The number of contacts whose announcement has not yet been delivered. */
    outstanding: () => emissions.list().reduce((sum, { range, done }) => sum + range.count - done, 0),
  };
}

export type ContactEvents = ReturnType<typeof createContactEvents>;

function announcement(contacts: Contacts, emission: Emission, index: number) {
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

/** The data of a `contact.*` event. */
export function contactData(serviceNumberId: string, contact: Contact): Record<string, unknown> {
  const { contactId, displayName, channel, language, region, attributes } = contact;
  return { contactId, serviceNumberId, displayName, channel, language, region, attributes };
}

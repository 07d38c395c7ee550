import type { Journal } from '../journal.ts';
import type { SignedHeaders } from './signature.ts';

/** An event as it arrived at a merchant. */
export interface MerchantEvent {
  /** Counts up over all tenants. */
  number: number;
  tenantId: string;
  receivedAt: string;
  headers: SignedHeaders;
  /** The exact text of the body. */
  raw: string;
  /** Null if no secret was set when it arrived. */
  signature: 'valid' | 'invalid' | null;
}

/** What the control API sets for one tenant's receiver. */
export interface ReceiverSettings {
  /** `whsec_…`; null: signatures are not checked. */
  secret: string | null;
  /** Every event gets a 503 and is not stored. */
  down: boolean;
}

type Entry =
  { kind: 'event'; event: MerchantEvent } | { kind: 'settings'; tenantId: string; settings: ReceiverSettings };

const KEPT_EVENTS = 1000;

/** The receivers of merchants: their settings, and the newest 1,000 events of each tenant. */
export function createReceivers(journal: Journal) {
  const events = new Map<string, MerchantEvent[]>();
  const settings = new Map<string, ReceiverSettings>();
  let last = 0;

  const record = journal.register<Entry>('merchant', {
    apply(entry) {
      if (entry.kind === 'settings') return void settings.set(entry.tenantId, entry.settings);
      const { event } = entry;
      const own = events.get(event.tenantId) ?? [];
      own.push(event);
      if (own.length > KEPT_EVENTS) own.shift();
      events.set(event.tenantId, own);
      last = Math.max(last, event.number);
    },
    *dump() {
      for (const [tenantId, own] of settings) yield { kind: 'settings', tenantId, settings: own };
      for (const own of events.values()) for (const event of own) yield { kind: 'event', event };
    },
  });

  const settingsOf = (tenantId: string): ReceiverSettings => settings.get(tenantId) ?? { secret: null, down: false };
  return {
    settingsOf,
    change(tenantId: string, changes: Partial<ReceiverSettings>): ReceiverSettings {
      record({ kind: 'settings', tenantId, settings: { ...settingsOf(tenantId), ...changes } });
      return settingsOf(tenantId);
    },
    add(event: Omit<MerchantEvent, 'number'>): void {
      record({ kind: 'event', event: { ...event, number: last + 1 } });
    },
    /** Oldest first. */
    eventsOf: (tenantId: string): readonly MerchantEvent[] => events.get(tenantId) ?? [],
    /** The tenants that have received something or have settings. */
    tenantIds: () => [...new Set([...settings.keys(), ...events.keys()])],
  };
}

export type Receivers = ReturnType<typeof createReceivers>;

/** The body, if it is JSON; otherwise its text. */
export function bodyOf({ raw }: MerchantEvent): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

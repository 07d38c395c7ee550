import type { Logger } from '../logger.ts';

/** The subject of an entry. */
export interface AuditedPerson {
  tenantId: string;
  userId: string;
}

export interface Refusal {
  /** The method and the path of the operation as it is described, so that there are as many as operations. */
  operation: string;
  /** What else the entry has, of few values. */
  more?: Record<string, string>;
}

export interface Refusals {
  refused(who: AuditedPerson, refusal: Refusal): void;
  /** Stores the counts. */
  close(): void;
}

interface RefusalsOptions {
  note: (who: AuditedPerson, refusal: Refusal, calls: number) => void;
  logger: Logger;
}

const MINUTE_MS = 60_000;
/** Refusals of a person that are told apart within a minute; the others count together. */
const TOLD_APART = 20;
const others: Refusal = { operation: '*' };
/** People who are refused something within the same minute. */
const MAXIMUM_PEOPLE = 1000;

interface Minute {
  calls: Map<string, { refusal: Refusal; further: number }>;
  timer: NodeJS.Timeout;
  end: () => void;
}

/**
 * Notes what verified people were refused, so that none of them can fill a log: the first refusal of a minute and an
 * operation at once, and the others of that minute together with their count.
 */
export function createRefusals({ note, logger }: RefusalsOptions): Refusals {
  const people = new Map<string, Minute>();

  function minuteOf(who: AuditedPerson): Minute | undefined {
    const key = JSON.stringify([who.tenantId, who.userId]);
    const known = people.get(key);
    if (known || people.size >= MAXIMUM_PEOPLE) return known;
    const calls: Minute['calls'] = new Map();
    const end = () => {
      people.delete(key);
      for (const { refusal, further } of calls.values()) if (further > 0) note(who, refusal, further);
    };
    const minute = { calls, end, timer: setTimeout(end, MINUTE_MS).unref() };
    people.set(key, minute);
    return minute;
  }

  return {
    refused(who, asked) {
      // A token without a tenant belongs to no log.
      if (who.tenantId === '') return;
      const minute = minuteOf(who);
      if (!minute) {
        logger.error({ who, refusal: asked }, 'a refusal is not in the audit log');
        return;
      }
      const askedKey = JSON.stringify(asked);
      const isApart = minute.calls.has(askedKey) || minute.calls.size < TOLD_APART;
      const [key, refusal] = isApart ? [askedKey, asked] : ['', others];
      const known = minute.calls.get(key);
      if (known) known.further += 1;
      else {
        minute.calls.set(key, { refusal, further: 0 });
        note(who, refusal, 1);
      }
    },
    close() {
      for (const { timer, end } of people.values()) {
        clearTimeout(timer);
        end();
      }
    },
  };
}

import { z } from 'zod';
import { createRandom, seedOf } from './random.ts';

export const faultSchema = z.strictObject({
  /** `A1`, `embed`, `webhook`, `charges.create` …, all of one kind such as `charges.*`, or `*`. */
  route: z.string().min(1),
  mode: z.enum(['status', 'slow', 'reset', 'lost-answer', 'duplicate', 'reorder', 'lost']),
  status: z.number().int().min(400).max(599).default(503),
  /** The response is `{code, message}`; without it the body is plain text. */
  code: z.string().min(1).optional(),
  /** Seconds, sent as `Retry-After`. */
  retryAfter: z.number().min(0).optional(),
  delayMs: z.number().int().min(0).max(600_000).default(1000),
  /** The share of matching calls that are hit; all by default. */
  rate: z.number().min(0).max(1).default(1),
  /** The maximum number of calls hit; unlimited by default. */
  count: z.number().int().min(1).optional(),
  /** How many matching calls to let pass first. */
  skip: z.number().int().min(0).default(0),
  seed: z.number().int().optional(),
  /** Mode `status`: respond with it after the effect has happened. */
  afterEffect: z.boolean().default(false),
  /** Only calls of this tenant integration. */
  tenantIntegrationId: z.string().optional(),
  /** Only calls whose body contains this text. */
  bodyIncludes: z.string().min(1).optional(),
});

export type Fault = z.infer<typeof faultSchema>;

/** What goes wrong with one call: a delay, and at most one other fault. */
export interface Trouble {
  delayMs: number;
  fault: Fault | null;
}

export interface Subject {
  route: string;
  tenantIntegrationId?: string | undefined;
  body?: Buffer | string | undefined;
}

interface Armed extends Fault {
  hits: number;
  seen: number;
  random: () => number;
}

const covers = (pattern: string, route: string): boolean =>
  pattern.endsWith('*') ? route.startsWith(pattern.slice(0, -1)) : route === pattern;

/** The active faults. They live in memory only: after a restart there are none. */
export function createFaults() {
  let armed: Armed[] = [];

  function concerns(fault: Armed, subject: Subject): boolean {
    return (
      covers(fault.route, subject.route) &&
      (!fault.tenantIntegrationId || fault.tenantIntegrationId === subject.tenantIntegrationId) &&
      (!fault.bodyIncludes || (subject.body?.includes(fault.bodyIncludes) ?? false))
    );
  }

  function strikes(fault: Armed): boolean {
    fault.seen += 1;
    if (fault.seen <= fault.skip) return false;
    if (fault.count !== undefined && fault.hits >= fault.count) return false;
    if (fault.rate < 1 && fault.random() >= fault.rate) return false;
    fault.hits += 1;
    return true;
  }

  return {
    replace(faults: Fault[]): void {
      armed = faults.map((fault) => ({
        ...fault,
        hits: 0,
        seen: 0,
        random: createRandom(fault.seed ?? seedOf(`${fault.route} ${fault.mode}`)),
      }));
    },

    /** The faults, with how many calls each has seen and hit. */
    list: () => armed.map(({ random: _random, ...fault }) => fault),

    /**
     * Decides about one call. Every matching `slow` fault adds its delay; of the others, the first that hits
     * applies.
     */
    take(subject: Subject): Trouble {
      const trouble: Trouble = { delayMs: 0, fault: null };
      for (const fault of armed) {
        if (!concerns(fault, subject)) continue;
        if (fault.mode !== 'slow' && trouble.fault) continue;
        if (!strikes(fault)) continue;
        if (fault.mode === 'slow') trouble.delayMs += fault.delayMs;
        else trouble.fault = fault;
      }
      return trouble;
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;

import type { Database } from '#db/database.ts';
import type { IntakeCommand } from '#domain/api/events.ts';
import type { Chances } from '#test/sends/model/chances.ts';
import type { Clock } from '#test/sends/model/clock.ts';
import type { Flows } from '#test/sends/model/flows.ts';
import type { TestTenant } from '#test/support/outreach/rows.ts';
import type { Tags } from './bodies.ts';
import type { Oracle } from './oracle.ts';
import type { Platform } from './platform.ts';

/** A tenant with automations, and a platform, people, operators and a time of its own. */
export interface World {
  database: Database;
  chances: Chances;
  clock: Clock;
  flows: Flows;
  platform: Platform;
  tenant: TestTenant;
  author: { tenantId: string; userId: string; requestId: null };
  tags: Tags;
  /** Milliseconds since the epoch. */
  start: number;
  /** People do something several times a day. */
  isLively: boolean;
  /** All that may ever come. */
  contacts: string[];
  /** Those that have followed, and were not erased since. */
  known: Set<string>;
  automationIds: string[];
  takesWrites: boolean;
  /** What the platform may tell again. */
  told: IntakeCommand[];
  /** Contacts and sub-tasks. */
  clicked: Set<string>;
  /** Of the erased: their contact ids. */
  pseudonyms: Map<string, string>;
  /** When an operator said what became of a sub-task. */
  resolved: Map<string, number>;
  /** What is told to the oracle afterwards, in this order. */
  happened: ((oracle: Oracle) => void)[];
  record(what: (oracle: Oracle) => void): void;
}

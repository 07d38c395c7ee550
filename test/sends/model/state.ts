import type { BackendDeps } from '#api/backend/deps.ts';
import type { Database } from '#db/database.ts';
import type { TestTenant } from '#test/support/outreach/rows.ts';
import type { Chances } from './chances.ts';
import type { Clock } from './clock.ts';
import type { Copied } from './copies.ts';
import type { PaceSince } from './features.ts';
import type { Flows } from './flows.ts';
import type { Halt } from './halts.ts';
import type { Platform } from './platform.ts';

/** What a world is made of less than the seed says, to find what a failure needs. */
export interface Limits {
  steps: number;
}

export interface WorldSend {
  tenantId: string;
  campaignId: string;
  dispatchId: string;
  number: number;
}

/** An event that may bring a contact in. */
export interface Follow {
  eventId: string;
  contactId: string;
  /** The automation was known to be active, and so takes it. */
  counts: boolean;
}

/** One campaign, with a platform, operators, customers and a time of its own. */
export interface World {
  chances: Chances;
  limits: Limits;
  clock: Clock;
  database: Database;
  platform: Platform;
  flows: Flows;
  backend: BackendDeps;
  tenant: TestTenant;
  author: { tenantId: string; userId: string; requestId: null };
  actor: { tenantId: string; userId: string; role: 'tenant_admin' };
  /** The campaign's first send. */
  send: WorldSend;
  audience: string[];
  /** Of the campaign so far, the first at its beginning. */
  paces: PaceSince[];
  copied: Copied[];
  halts: Halt[];
  /** Those known to be held back. */
  heldBack: Set<string>;
  hasVariants: boolean;
  hasSteps: boolean;
  /** Null without one. */
  automationId: string | null;
  automationEnded: boolean;
  follows: Follow[];
  /** Some of the audience are held back, or not in its sample. */
  isDrawn: boolean;
  /** More contacts than one person may send to. */
  needsApproval: boolean;
  /** Contacts that an operator, or the platform, wrongly said had received nothing. */
  excused: Set<string>;
  /** How often the platform had been called when it uninstalled the tenant; null if it has not. */
  callsAtUninstall: number | null;
  /** How often sub-tasks had been claimed then. */
  claimsAtUninstall: number;
  inboxDue: boolean;
  takesWrites: boolean;
  /** Operators are still at work. */
  operating: boolean;
  /** When somebody first saw that a campaign had reached a contact, by every clock but the service's. */
  seenReached: Map<string, Map<string, number>>;
  /** Who clicked on which sub-task, and when, by every clock but the service's. */
  clicked: { key: string; contactId: string; at: number }[];
  looks: number;
  note(what: string): void;
  look(): Promise<void>;
}

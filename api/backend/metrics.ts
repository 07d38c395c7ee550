import { Counter, Histogram, type Registry } from 'prom-client';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import type { PlatformGateway } from '#clients/platform/gateway.ts';
import type { Database } from '#db/database.ts';
import type { Stored } from '#db/outreach/inbox/intake.ts';
import { standingCampaigns } from '#db/outreach/overview/standing.ts';
import { campaignWaitsFor } from '#domain/campaigns/standing.ts';
import { INBOX_RESCUE, RELAY, SEALER } from '#domain/recurring/sweep.ts';
import { readRevenueFigures } from '#db/outreach/revenue/comparison.ts';
import { readInboxFigures, readOverdueAutomations, readUnknownSubTasks } from '#db/outreach/overview/metrics.ts';
import { countedByReason, databaseGauges } from '../http/metrics.ts';
import { recurringGauges } from '../runtime/recurring/runs.ts';
import { deliveryMetrics } from '../runtime/webhooks/metrics.ts';
import { waitsForEndpoint } from '#db/outreach/webhooks/relay.ts';
import type { DeliveryResult } from '../runtime/webhooks/relay.ts';
import { schedules } from './schedules.ts';

/** The backend's metrics for on-call staff. No label names a tenant, a campaign or a contact. */
export interface BackendMetrics {
  /** Counts the events of one intake by result. */
  intake(stored: readonly Stored[]): void;
  /** The gateway, with its A1 calls timed. */
  timed(gateway: PlatformGateway): PlatformGateway;
  /** The activities, with the workflows that sweeps start counted. */
  counted(activities: OutreachActivities): OutreachActivities;
  /** Counts an attempt to deliver an event to a tenant. */
  countDelivery(result: DeliveryResult): void;
}

function gauges(registry: Registry, database: Database): void {
  databaseGauges(
    registry,
    {
      events: { name: 'inbox_events', help: 'Unprocessed events in the inbox', labelNames: ['status'] },
      lag: { name: 'inbox_drain_lag_seconds', help: 'How long the oldest due event has been waiting' },
      unknown: {
        name: 'subtasks_unknown',
        help: 'Sub-tasks for which it is unknown whether the platform received them',
      },
      overdue: {
        name: 'automations_overdue_seconds',
        help: 'How long the oldest message of an active automation has been due without being submitted',
      },
    },
    async () => {
      const [{ stored, failed, lagSeconds }, unknown, overdue] = await Promise.all([
        readInboxFigures(database),
        readUnknownSubTasks(database),
        readOverdueAutomations(database),
      ]);
      return {
        events: [
          { labels: { status: 'stored' }, value: stored },
          { labels: { status: 'failed' }, value: failed },
        ],
        lag: lagSeconds,
        unknown,
        overdue,
      };
    },
  );
}

/** Stalled campaigns, including those that wait for an operator. */
function standingGauges(registry: Registry, database: Database): void {
  databaseGauges(
    registry,
    {
      standing: {
        name: 'campaigns_standing',
        help: 'Campaigns that made no progress for longer than their phase is expected to take, by phase and reason',
        labelNames: ['phase', 'reason', 'waits_for'],
      },
    },
    async () => ({ standing: countedByReason(await standingCampaigns(database, {}, new Date()), campaignWaitsFor) }),
  );
}

/** Whether what campaigns brought in is what the orders' ledger says. */
function revenueGauges(registry: Registry, database: Database): void {
  databaseGauges(
    registry,
    {
      differences: {
        name: 'revenue_differences',
        help: 'Campaigns whose revenue, in a currency, differed from the ledger of the orders at the last comparison',
      },
      ageSeconds: {
        name: 'revenue_comparison_age_seconds',
        help: 'Time since the revenue of campaigns was last compared with the ledger of the orders',
      },
    },
    () => readRevenueFigures(database),
  );
}

export function createBackendMetrics(registry: Registry, database: Database): BackendMetrics {
  gauges(registry, database);
  standingGauges(registry, database);
  revenueGauges(registry, database);
  recurringGauges(registry, database, { schedules, always: [SEALER, INBOX_RESCUE, RELAY] });
  const intake = new Counter({
    name: 'inbox_intake_total',
    help: 'Events received by the inbox, by result: stored, duplicate, unknown_integration',
    labelNames: ['result'],
    registers: [registry],
  });
  const submissions = new Histogram({
    name: 'subtask_submission_seconds',
    help: 'A1 calls by outcome: accepted, refused, retryable, unauthorized, notSent, ambiguous',
    labelNames: ['outcome'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  });
  const sweeps = new Counter({
    name: 'sweep_actions_total',
    help: 'Workflows started by a sweep because their rows had none, by kind',
    labelNames: ['kind'],
    registers: [registry],
  });
  const countDelivery = deliveryMetrics(registry, database, {
    prefix: 'outreach',
    to: 'tenants',
    waiting: waitsForEndpoint,
  });
  return {
    countDelivery,
    intake: (stored) => stored.forEach(({ kind }) => intake.inc({ result: kind })),
    timed: (gateway) => ({
      ...gateway,
      async createBroadcast(...call) {
        const end = submissions.startTimer();
        const outcome = await gateway.createBroadcast(...call);
        end({ outcome: outcome.kind });
        return outcome;
      },
    }),
    counted: (activities) => ({
      ...activities,
      async sweepOutreachRows() {
        const counts = await activities.sweepOutreachRows();
        for (const [kind, count] of Object.entries(counts)) sweeps.inc({ kind }, count);
        return counts;
      },
    }),
  };
}

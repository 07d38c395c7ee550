import { z } from 'zod';
import { TASK_NOT_FOUND } from '../campaigns/sub-task-errors.ts';
import { campaignStatuses, pauseReasons } from './campaign.ts';
import { operation } from './operation.ts';
import { platformId, timestamp, zoneName } from './primitives.ts';
import { revenueSumSchema } from './revenue.ts';

/** Items that need a person's attention: the total, and the first of them. */
const needing = <Item extends z.ZodType>(item: Item) => z.object({ count: z.int(), items: z.array(item) });

const campaign = { campaignId: z.string(), name: z.string(), serviceNumberId: z.string() };

export const attentionSchema = z.object({
  unknownSubTasks: needing(
    z.object({
      ...campaign,
      key: z.string(),
      contactCount: z.int(),
      /** `task_not_found`: the platform accepted it and does not know its task any more. */
      reason: z.enum(['outcome_unknown', TASK_NOT_FOUND]),
      since: timestamp.nullable(),
    }),
  ),
  /** In the last seven days a sub-task turned out to have been sent although a retry had sent to the same contacts. */
  sentTwice: needing(z.object({ ...campaign, contacts: z.int(), since: timestamp })),
  pausedCampaigns: needing(z.object({ ...campaign, reason: z.enum(pauseReasons), since: timestamp })),
  /** Sends that await another operator's approval, oldest first. */
  waitingSends: needing(
    z.object({ ...campaign, contacts: z.int(), requestedBy: z.string(), since: timestamp, isPaused: z.boolean() }),
  ),
  failedEvents: needing(
    z.object({ eventId: z.string(), eventType: z.string(), receivedAt: timestamp, error: z.string().nullable() }),
  ),
  /** Nothing has moved for ten minutes: sub-tasks are not submitted, or the platform is not polled for them. */
  stuckCampaigns: needing(z.object({ ...campaign, reason: z.enum(['not_submitted', 'not_polled']), since: timestamp })),
  /**
   * Entry sources whose change (F2) or end (F3) the platform rejected in the last seven days and has not accepted
   * since.
   */
  refusedSources: needing(
    z.object({
      ...campaign,
      sourceId: z.string(),
      call: z.enum(['update', 'end']),
      code: z.string(),
      message: z.string(),
      since: timestamp,
    }),
  ),
  /** The revenue of a campaign is not what the ledger of the orders says, as of the last hourly comparison. */
  revenueDiffers: needing(
    z.object({
      ...campaign,
      currency: z.string(),
      /** In units: what the results show, and what the ledger says. */
      shown: z.number(),
      ledger: z.number(),
      since: timestamp,
    }),
  ),
});
export type Attention = z.infer<typeof attentionSchema>;

const figure = z.object({ current: z.int(), previous: z.int() });

export const figuresSchema = z.object({
  /** Notices delivered, counted at the time the platform started their sub-task. */
  delivered: figure,
  clickedContacts: figure,
  conversationsOpened: figure,
  /** Tag assignments with a sourceCampaignId. */
  conversions: figure,
});
export type Figures = z.infer<typeof figuresSchema>;

export const seriesSchema = z.object({
  /** Hours for at most three days, else days, both in the time zone. */
  unit: z.enum(['hour', 'day']),
  timeZone: z.string(),
  items: z.array(z.object({ at: timestamp, delivered: z.int(), clicks: z.int() })),
});
export type Series = z.infer<typeof seriesSchema>;

export const lastCampaignSchema = z.object({
  ...campaign,
  status: z.enum(campaignStatuses),
  /** When the send was confirmed. */
  sentAt: timestamp,
  /** When the platform began to send it; null before. */
  startedAt: timestamp.nullable(),
  /** The scheduled time; null if it is sent immediately. */
  scheduledAt: timestamp.nullable(),
  funnel: z.object({
    audience: z.int(),
    sent: z.int(),
    delivered: z.int(),
    read: z.int(),
    clickedContacts: z.int(),
    conversations: z.int(),
    conversions: z.int(),
  }),
});
export type LastCampaign = z.infer<typeof lastCampaignSchema>;

export const overviewSchema = z
  .object({
    period: z.object({ from: timestamp, to: timestamp, previousFrom: timestamp }),
    attention: attentionSchema,
    figures: figuresSchema,
    /** By currency: what orders from links of campaigns brought in, each payment and refund at its own time. */
    revenue: z.array(revenueSumSchema.extend({ previousNet: z.number() })),
    series: seriesSchema,
    lastCampaigns: z.array(lastCampaignSchema),
    /** For the whole tenant, whatever the service number. */
    checklist: z.object({
      installed: z.boolean(),
      contactsArriving: z.boolean(),
      firstTag: z.boolean(),
      firstCampaign: z.boolean(),
      firstClick: z.boolean(),
    }),
  })
  .meta({ id: 'Overview' });
export type Overview = z.infer<typeof overviewSchema>;

/** A period is [from, to); defaults to the last seven days. */
export const periodQuery = {
  from: timestamp.optional(),
  to: timestamp.optional(),
  serviceNumberId: platformId.optional(),
};

export const overviewOperations = {
  getOverview: operation({
    method: 'get',
    path: '/overview',
    tag: 'insight',
    summary: 'What needs attention, and what worked in a period and in the one before',
    access: 'read',
    query: z.object({
      ...periodQuery,
      /** The time zone for the hours and days of the series, such as `Asia/Taipei`. */
      timeZone: zoneName.default('UTC'),
    }),
    status: 200,
    response: overviewSchema,
    errors: ['invalid_content'],
  }),
};

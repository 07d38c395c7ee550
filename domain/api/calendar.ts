import { z } from 'zod';
import { CALENDAR_DAYS } from '../period.ts';
import { campaignStatuses } from './campaign.ts';
import { operation } from './operation.ts';
import { ownId, platformId, timestamp } from './primitives.ts';
import { repeatStatuses } from '../campaigns/repeats/statuses.ts';

/** A run is one that a repeat is going to have; one that it had is a campaign. */
export const calendarKinds = ['campaign', 'run', 'automation'] as const;

export const calendarItemSchema = z
  .object({
    kind: z.enum(calendarKinds),
    /** Of the campaign, the repeat or the automation. */
    id: ownId,
    name: z.string(),
    serviceNumberId: z.string(),
    /** When it began, or begins. */
    at: timestamp,
    /** When it ended; before that, when it is to end. Null: open. */
    until: timestamp.nullable(),
    /** Of the campaign, the repeat or the automation. */
    status: z.enum([...new Set([...campaignStatuses, ...repeatStatuses])]),
    /** Of a run: those of the campaign that it copies. */
    labels: z.array(z.string()),
  })
  .meta({ id: 'CalendarItem' });
export type CalendarItem = z.infer<typeof calendarItemSchema>;

/** A day counts from its first moment in UTC. */
const moment = z.union([z.iso.date(), timestamp]);

export const calendarOperations = {
  getCalendar: operation({
    method: 'get',
    path: '/calendar',
    tag: 'campaigns',
    summary: 'Campaigns and automations that begin within a period, and the coming runs of active repeats',
    description: `Drafts are left out. In [from, to), at most ${CALENDAR_DAYS} days.`,
    access: 'read',
    query: z.object({ from: moment, to: moment, serviceNumberId: platformId.optional() }),
    status: 200,
    response: z.object({
      /** By `at`. */
      items: z.array(calendarItemSchema),
      /** Whether there are more: then the latest are missing. */
      hasMore: z.boolean(),
    }),
    errors: ['invalid_content'],
  }),
};

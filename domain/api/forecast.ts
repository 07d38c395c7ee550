import { z } from 'zod';
import { operation } from './operation.ts';
import { ownId, timestamp } from './primitives.ts';

/** What a send is going to take until the platform has finished it. */
export const sendForecastSchema = z
  .object({
    /**
     * Seconds from the confirmation, or from the scheduled start, until the platform has finished the last sub-task; null as
     * long as no send of the service number was completed in the last 90 days. A test of variants is decided at the latest.
     */
    durationSeconds: z.number().nonnegative().nullable(),
    /** Calls that submit (A1), if the platform accepts each at once. */
    submissions: z.int(),
    /** Calls that ask for progress (A2) until then. */
    polls: z.int().nullable(),
    /** What Temporal bills until then, retries of activities included; null with variants: their test ends when one is proven. */
    temporalActions: z.int().nullable(),
    /** How many earlier sends the forecast is learned from. */
    basedOnSends: z.int(),
  })
  .meta({ id: 'SendForecast' });
export type SendForecast = z.infer<typeof sendForecastSchema>;

export const forecastComparisonSchema = z
  .object({
    /** Of the last dry run before the send; null if there was none. */
    forecast: sendForecastSchema.extend({ at: timestamp }).nullable(),
    /** Null until the platform has finished the campaign. */
    actual: z
      .object({
        durationSeconds: z.number().nonnegative(),
        submissions: z.int(),
        polls: z.int(),
        /** Null with variants, and once the workflows are no longer kept. */
        temporalActions: z.int().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'ForecastComparison' });
export type ForecastComparison = z.infer<typeof forecastComparisonSchema>;

export const forecastOperations = {
  getForecast: operation({
    method: 'get',
    path: '/campaigns/{id}/forecast',
    tag: 'campaigns',
    summary: 'What the last dry run forecast of the send, beside what it took',
    description:
      'Of the first send, until the platform has finished it; a campaign that was paused, changed or sent again took longer ' +
      'for reasons that no forecast knows. A dry run learns from at most 20 sends of the service number in the last 90 days.',
    access: 'read',
    params: z.object({ id: ownId }),
    status: 200,
    response: forecastComparisonSchema,
    errors: ['not_found'],
  }),
};

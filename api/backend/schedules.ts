import type { Client } from '@temporalio/client';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import type { Database } from '#db/database.ts';
import { taskQueues } from '#temporal.config.ts';
import { applyRetentionScheduleId } from '#workflows/contracts/apply-retention.ts';
import { deleteOldPayloadsScheduleId } from '#workflows/contracts/delete-old-payloads.ts';
import { expireTemporaryTagsScheduleId } from '#workflows/contracts/expire-temporary-tags.ts';
import { noResponseScanScheduleId } from '#workflows/contracts/scan-no-response.ts';
import { outreachSweepScheduleId } from '#workflows/contracts/sweep-outreach.ts';
import { isLast, noting } from '../runtime/recurring/runs.ts';
import { ensureSchedule, type ScheduleDefinition } from '../runtime/recurring/schedules.ts';

const taskQueue = taskQueues.outreach;

/** The backend's workflows that run on a Schedule. */
export const schedules: ScheduleDefinition[] = [
  {
    id: outreachSweepScheduleId,
    type: 'sweepOutreach',
    taskQueue,
    // The workers sweep by themselves; this shows that it works, and remains if they do not.
    when: { every: '30 minutes' },
    // After an outage, one sweep finds everything; making up for missed runs would add nothing.
    catchupWindow: '1 minute',
    longest: '5 minutes',
    startsAtOnce: true,
    summary: 'Restarts what should be running according to the rows, beside the sweeps of the workers',
  },
  {
    id: expireTemporaryTagsScheduleId,
    type: 'expireTemporaryTags',
    taskQueue,
    when: { hour: 0, minute: 5 },
    // Makes up for the last missed run, not for earlier ones.
    catchupWindow: '1 day',
    longest: '1 hour',
    summary: 'Marks the tags that have expired',
  },
  {
    id: noResponseScanScheduleId,
    type: 'scanNoResponse',
    taskQueue,
    when: { every: '15 minutes' },
    // A scan finds everything that is due, whatever was missed before.
    catchupWindow: '15 minutes',
    longest: '6 hours',
    summary: 'Tags contacts that did not respond within the number of days set by a rule',
  },
  {
    id: deleteOldPayloadsScheduleId,
    type: 'deleteOldPayloads',
    taskQueue,
    when: { hour: 0, minute: 35 },
    // A run finds everything that is old enough, whatever was missed before.
    catchupWindow: '1 day',
    longest: '6 hours',
    summary: 'Deletes the payloads of events whose retention has passed',
  },
  {
    id: applyRetentionScheduleId,
    type: 'applyRetention',
    taskQueue,
    when: { hour: 1, minute: 5 },
    // A run finds everything that is old enough, whatever was missed before.
    catchupWindow: '1 day',
    longest: '12 hours',
    summary: 'Adds the partitions of coming months, and drops what has been kept for long enough',
  },
];

/** Creates or updates the backend's Schedules as defined here. */
export async function ensureSchedules(client: Client): Promise<void> {
  for (const schedule of schedules) await ensureSchedule(client, schedule);
}

/** The activities as Schedules call them: the last one of a run notes its end. */
export const notingRuns = (database: Database, activities: OutreachActivities): OutreachActivities => ({
  ...activities,
  sweepOutreachRows: noting(database, { kind: outreachSweepScheduleId }, activities.sweepOutreachRows),
  expireTagsBatch: noting(database, { kind: expireTemporaryTagsScheduleId, ends: isLast }, activities.expireTagsBatch),
  scanNoResponseBatch: noting(
    database,
    { kind: noResponseScanScheduleId, ends: isLast },
    activities.scanNoResponseBatch,
  ),
  deletePayloadsBatch: noting(
    database,
    { kind: deleteOldPayloadsScheduleId, ends: isLast },
    activities.deletePayloadsBatch,
  ),
  deleteUninstalledBatch: noting(
    database,
    { kind: applyRetentionScheduleId, ends: isLast },
    activities.deleteUninstalledBatch,
  ),
});

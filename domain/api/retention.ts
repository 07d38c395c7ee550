import { z } from 'zod';
import { operation } from './operation.ts';

const days = z.int().min(1);

export const retentionSchema = z
  .object({
    /** Events that the platform sent, with their payloads. */
    eventsDays: days,
    /** Recipients of campaigns. */
    recipientsDays: days,
    /** Clicks, conversations, payments of contacts, and when contacts followed or left. */
    timelineDays: days,
    /** The audit log and the history of campaigns. */
    auditDays: days,
  })
  .meta({ id: 'Retention' });

export const retentionOperations = {
  getRetention: operation({
    method: 'get',
    path: '/retention',
    tag: 'session',
    summary: 'For how many days what is kept; results stay',
    access: 'read',
    status: 200,
    response: retentionSchema,
  }),
};

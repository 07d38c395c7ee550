/** The Schedule, and the prefix of the ids of its runs. */
export const deleteOldPayloadsScheduleId = 'delete-old-payloads';

export interface DeleteOldPayloadsResult {
  deleted: number;
}

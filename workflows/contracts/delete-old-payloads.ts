/** The Schedule's id, and the prefix of its runs' ids. */
export const deleteOldPayloadsScheduleId = 'delete-old-payloads';

export interface DeleteOldPayloadsResult {
  deleted: number;
}

/** The Schedule, and the prefix of the ids of its runs. */
export const expireTemporaryTagsScheduleId = 'expire-temporary-tags';

export interface ExpireTemporaryTagsResult {
  expired: number;
}

/** The Schedule's id, and the prefix of its runs' ids. */
export const expireTemporaryTagsScheduleId = 'expire-temporary-tags';

export interface ExpireTemporaryTagsResult {
  expired: number;
}

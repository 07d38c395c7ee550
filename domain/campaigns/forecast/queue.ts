/**
 * Milliseconds until the last of some calls may be made, if none was made lately: a bucket of one second's calls is full then,
 * and the others follow at equal distances.
 */
export const queuedMs = (calls: number, callsPerSecond: number): number =>
  (Math.max(0, calls - Math.max(1, callsPerSecond)) * 1000) / callsPerSecond;

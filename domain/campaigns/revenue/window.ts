/** For how many days after its send a campaign's links count orders; what the editor suggests lies between. */
export const REVENUE_WINDOW_DAYS = { least: 1, most: 30, suggested: 7 } as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Until when an order from a link counts: whole days after the platform is asked to send, rounded up to the hour, so that a
 * call that is repeated has the same body unless an hour has passed in between.
 */
export const countsUntil = (sentAt: Date, days: number): Date =>
  new Date(Math.ceil((sentAt.getTime() + days * DAY_MS) / HOUR_MS) * HOUR_MS);

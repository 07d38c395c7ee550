/** A shared secret, and the one before or after it while it changes: the first signs, all of them verify. */
export type Secrets = readonly [string, ...string[]];

/** Longer than a load balancer keeps idle connections, so that none closes just as a call is sent on it. */
export const keepAliveMs = 65_000;

/**
 * Connections that may wait to be accepted. The system resets some connections of a larger burst; Node's default is
 * 511.
 */
export const backlog = 4096;

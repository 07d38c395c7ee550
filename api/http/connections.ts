/** An idle connection outlives a balancer's, and any slow moment: it must not close just as a call takes it. */
export const keepAliveMs = 65_000;

/** Connections that may wait to be accepted. The system resets some of a burst that is larger; Node's default is 511. */
export const backlog = 4096;

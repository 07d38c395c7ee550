/** Ids in one request that changes several rows. Apart from the schemas, which browsers do not load. */
export const BATCH_LIMIT = 200;

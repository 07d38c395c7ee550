/** Cases of messages at most, and values of one. */
export const CASES = 20;
export const VALUES_PER_CASE = 100;

/** The number of `otherwise` where cases are stored by their numbers: it stays the same however many there are. */
export const OTHERWISE = CASES;

export interface Bisection<Item, Result> {
  /** Handles all items at once; returns one result per item, in their order. */
  run(items: readonly Item[]): Promise<Result[]>;
  /** Whether a single item may be at fault, so that the others could succeed without it. */
  mayBeOneItem(error: unknown): boolean;
  /**
   * The results of items that failed together: a single one, or all of them if no single item is at fault. May
   * throw.
   */
  fail(error: unknown, items: readonly Item[]): Result[];
}

/**
 * Handles items together; on failure, in halves, one after the other, so that only the items at fault fail.
 * @returns one result per item, in their order.
 */
export async function bisect<Item, Result>(
  items: readonly Item[],
  bisection: Bisection<Item, Result>,
): Promise<Result[]> {
  try {
    return await bisection.run(items);
  } catch (error) {
    if (items.length <= 1 || !bisection.mayBeOneItem(error)) return bisection.fail(error, items);
    const middle = Math.ceil(items.length / 2);
    return [...(await bisect(items.slice(0, middle), bisection)), ...(await bisect(items.slice(middle), bisection))];
  }
}

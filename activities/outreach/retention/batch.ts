/** What one activity has deleted. */
export interface DeletedRows {
  deleted: number;
  /** There is more to do at the same `now`. */
  more: boolean;
}

/** Repeats `deleteSome`, which returns how many it deleted, until there are none left, `atMost` times. */
export async function deleteRepeatedly(
  deleteSome: () => Promise<number>,
  { atMost, cancelled }: { atMost: number; cancelled: AbortSignal },
): Promise<DeletedRows> {
  let deleted = 0;
  for (let count = 0; count < atMost && !cancelled.aborted; count += 1) {
    const some = await deleteSome();
    if (some === 0) return { deleted, more: false };
    deleted += some;
  }
  return { deleted, more: true };
}

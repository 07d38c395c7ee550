import '#web/api/http/compile-no-schemas.ts';
import { invalidTimes, segmentSchema } from '#domain/api/segments.ts';
import { leavesOf, type PartDraft } from '#web/components/group/group-draft.ts';
import { type LeafDraft, type SegmentDraft, segmentOf } from './segment-draft.ts';

export interface SegmentProblems {
  /** Conditions that the schema rejects, by key. */
  leaves: ReadonlySet<string>;
  /** The whole has nothing in it, an empty group, or too many levels or parts. */
  whole: boolean;
}

/** What the server's own schema rejects in the draft. */
export function problemsOf(draft: SegmentDraft): SegmentProblems {
  const isRejected = (part: PartDraft<LeafDraft>) => {
    const { success, data } = segmentSchema.safeParse(segmentOf(part));
    return !success || invalidTimes(data).length > 0;
  };
  const leaves = new Set(
    leavesOf<LeafDraft>(draft)
      .filter(isRejected)
      .map(({ key }) => key),
  );
  return { leaves, whole: leaves.size === 0 && isRejected(draft) };
}

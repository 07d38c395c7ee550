import { canonical } from '#domain/json-text.ts';
import { fieldNames } from '#web/pages/campaigns/editor/draft/draft.ts';

/** The fields of a value in the audit log; none if it is not an object. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The parts of a campaign that differ before and after a change. */
export function changedParts({ before, after }: { before?: unknown; after?: unknown }): string[] {
  const [one, other] = [recordOf(before), recordOf(after)];
  return [...fieldNames, 'channels'].filter((name) => canonical(one[name]) !== canonical(other[name]));
}

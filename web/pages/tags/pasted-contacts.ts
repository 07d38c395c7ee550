import '#web/api/http/compile-no-schemas.ts';
import { tagOperations } from '#domain/api/tags.ts';
import { writtenIds } from '#web/components/input/written-ids.ts';

/** Contact ids from pasted text. */
export interface PastedContacts {
  contactIds: string[];
  /** Repeats of ids. */
  repeated: number;
  /** Null if the API accepts them. */
  rejected: 'none' | 'tooMany' | 'invalid' | null;
  /** The first that cannot be a contact's id. */
  invalidId: string | null;
}

export const mostPasted = 10_000;

/** Checks them with the API's own schema. */
export function pastedContacts(text: string): PastedContacts {
  const written = writtenIds(text);
  const contactIds = [...new Set(written)];
  const repeated = written.length - contactIds.length;
  const { error } = tagOperations.assignTag.body?.safeParse({ contactIds }) ?? {};
  const index = error?.issues.map(({ path }) => path[1]).find((place) => typeof place === 'number');
  const invalidId = index === undefined ? null : (contactIds[index] ?? null);
  if (!error) return { contactIds, repeated, rejected: null, invalidId };
  if (contactIds.length === 0) return { contactIds, repeated, rejected: 'none', invalidId };
  return { contactIds, repeated, rejected: invalidId === null ? 'tooMany' : 'invalid', invalidId };
}

import type { PageRequest } from '#domain/cursor.ts';

const PAGE = 50;

/** The page that a request asks for; 50 rows where it names no limit. */
export const pageRequest = ({
  cursor,
  limit,
}: {
  cursor?: string | null | undefined;
  limit?: number | null | undefined;
}): PageRequest => ({ cursor: cursor ?? undefined, limit: limit ?? PAGE });

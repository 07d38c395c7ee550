import { useQuery } from '@tanstack/vue-query';
import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import type { User } from '#domain/api/users.ts';
import { isKeyActor } from '#domain/keys/actor.ts';
import { call } from '../index.ts';
import { isolate } from '#web/components/text/isolate.ts';
import { useMe } from './integration.ts';

async function readPeople(signal: AbortSignal): Promise<User[]> {
  const all: User[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await call('listUsers', { query: { limit: 200, cursor }, signal });
    all.push(...items);
    cursor = nextCursor ?? undefined;
  } while (cursor);
  return all;
}

/** Everyone in the tenant who has signed in, and their names by id. */
export function usePeople() {
  const { t } = useI18n();
  const { canRead } = useMe();
  const query = useQuery({
    enabled: canRead,
    queryKey: ['people'],
    queryFn: ({ signal }) => readPeople(signal),
    staleTime: 300_000,
  });
  const names = computed(() => new Map(query.data.value?.map(({ userId, name }) => [userId, name])));
  return {
    ...query,
    /** A user who has not signed in has no name here: the one `known` from elsewhere, or the id. A key is said to be one. */
    nameOf: (userId: string, known?: string | null): string =>
      isKeyActor(userId)
        ? t('audit.keyActor', { id: isolate(known || userId.slice('key:'.length)) })
        : isolate(names.value.get(userId) ?? (known || userId)),
  };
}

import { useDebounceFn, useEventListener } from '@vueuse/core';
import { computed, onScopeDispose, type Ref, shallowRef, watch } from 'vue';
import { useMe } from '#web/api/queries/integration.ts';
import { useLinks } from '#web/composables/use-links.ts';
import { type Draft, draftFields, valueOf } from './draft.ts';
import type { createDraftSaver } from './draft-saver.ts';
import { forgetOldDrafts, keepable, keptDraft } from './kept-drafts.ts';

const KEEP_AFTER_MS = 300;

/** Null where the browser keeps nothing. */
function browserStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/**
 * Keeps in the browser what is written and not stored yet, from the first letter on, and brings it back where the page is
 * opened again. An embedded page keeps nothing in the browser.
 * @param of the campaign, or what tells one that is not stored from another; undefined until known
 * @param isLoaded whether the editor shows what is stored
 */
export function useKeptDraft({
  of,
  draft,
  saver,
  isLoaded,
}: {
  of: Readonly<Ref<string | undefined>>;
  draft: Ref<Draft>;
  saver: Pick<ReturnType<typeof createDraftSaver>, 'stored' | 'changed' | 'dispute'>;
  isLoaded: Readonly<Ref<boolean>>;
}) {
  const { data: me } = useMe();
  const { embedded } = useLinks();
  /** When what was brought back was written; null where nothing was. */
  const restoredAt = shallowRef<string | null>(null);
  /** Whether nothing would be lost if the page were left. */
  const isKept = shallowRef(false);

  const storage = embedded ? null : browserStorage();
  if (storage) forgetOldDrafts(storage);
  const place = computed(() => {
    if (!storage || !isLoaded.value || !me.value || of.value === undefined) return null;
    return keptDraft(storage, `${me.value.tenantId}/${me.value.userId}`, of.value);
  });

  function keep(): void {
    const { changed } = saver;
    if (!place.value) return;
    const names = keepable(draft.value, changed.value);
    try {
      if (names.length === 0) place.value.forget();
      else
        place.value.keep({
          parts: Object.fromEntries(names.map((name) => [draftFields[name].part, valueOf(draft.value, name)])),
          fields: names,
          etag: saver.stored.value?.etag ?? null,
          keptAt: new Date().toISOString(),
        });
      isKept.value = names.length === changed.value.length;
    } catch {
      isKept.value = false;
    }
  }

  function restore(): void {
    // What somebody has begun to write meanwhile is newer.
    const kept = saver.changed.value.length === 0 ? place.value?.read() : null;
    if (!kept) return;
    draft.value = { ...draft.value, ...kept.parts };
    const { stored, changed } = saver;
    if (changed.value.length === 0) return;
    restoredAt.value = kept.keptAt;
    if (stored.value && stored.value.etag !== kept.etag) saver.dispute();
  }

  const keepSoon = useDebounceFn(keep, KEEP_AFTER_MS);
  watch(
    place,
    (now, before) => {
      if (!now || now.key === before?.key) return;
      if (!before) return restore();
      // Stored for the first time, or begun for another service number: the same text in another place.
      before.forget();
      keep();
    },
    { immediate: true },
  );
  watch(saver.changed, (names) => {
    isKept.value = false;
    if (names.length === 0) restoredAt.value = null;
    void keepSoon();
  });
  useEventListener('pagehide', keep);
  onScopeDispose(keep);

  return {
    restoredAt,
    /** Keeps it now. @returns whether it is kept */
    keep(): boolean {
      keep();
      return isKept.value;
    },
    forget(): void {
      place.value?.forget();
      restoredAt.value = null;
    },
  };
}

import { refDebounced } from '@vueuse/core';
import { computed, ref, shallowRef, type Ref } from 'vue';
import { exchange } from '../../../api/index.ts';
import { useAudiencePreview, type PreviewRequest } from '../../../api/queries/audiences.ts';
import { readCampaign } from '../../../api/queries/campaigns.ts';
import { usePreferences } from '../../../composables/use-preferences.ts';
import { createDraftSaver } from './draft/draft-saver.ts';
import { audienceOf, isNobody } from './draft/audience.ts';
import {
  type Draft,
  draftFields,
  type DraftFields,
  type DraftIssue,
  draftOf,
  type FieldName,
  newDraft,
  rawOf,
  valueOf,
} from './draft/draft.ts';
import { provideEditor } from './use-editor.ts';

/** The editor's state: the draft, what needs fixing, saving, and the live count of its audience. */
export function createEditor(serviceNumberId: Readonly<Ref<string | undefined>>) {
  const preferences = usePreferences();
  const draft = ref<Draft>(newDraft());
  const check = shallowRef<((draft: Draft) => DraftFields) | null>(null);
  // The schemas are heavy and not needed to show the editor; until they are loaded nothing counts as savable.
  void import('./draft/checks.ts').then(({ fieldsOf }) => (check.value = fieldsOf));
  const fields = computed<DraftFields>(() => check.value?.(draft.value) ?? { valid: {}, issues: [] });
  const raw = computed(() => rawOf(draft.value));
  const issues = computed<DraftIssue[]>(() => fields.value.issues);
  const touched = ref(new Set<string>());
  const showAll = ref(false);

  const saver = createDraftSaver({
    raw,
    fields,
    read: (id) => readCampaign(id),
    async create(fields) {
      if (!serviceNumberId.value) throw new Error('A draft was created without a service number');
      const body = { ...fields, serviceNumberId: serviceNumberId.value };
      const { response, headers } = await exchange('createCampaign', { body });
      return { campaign: response, etag: headers.get('etag') };
    },
    async update(id, etag, body) {
      const { response, headers } = await exchange('updateCampaign', {
        params: { id },
        headers: { 'if-match': etag ?? undefined },
        body,
      });
      return { campaign: response, etag: headers.get('etag') };
    },
  });

  const request = computed<PreviewRequest | null>(() => {
    const audience = audienceOf(draft.value.audience);
    if (!serviceNumberId.value || isNobody(audience)) return null;
    return { serviceNumberId: serviceNumberId.value, audience };
  });
  const requestText = computed(() => JSON.stringify(request.value));
  const settledText = refDebounced(requestText, 300);
  const settledRequest = computed<PreviewRequest | null>(() => JSON.parse(settledText.value));
  const { data, error, isFetching, refetch } = useAudiencePreview(settledRequest);
  const preview = computed(() => (request.value ? data.value : undefined));
  const isCounting = computed(() => isFetching.value || requestText.value !== settledText.value);

  provideEditor({
    draft,
    issues,
    serviceNumberId,
    issueAt: (at) =>
      showAll.value || touched.value.has(at)
        ? issues.value.find((issue) => issue.at === at || issue.at.startsWith(`${at}/`))
        : undefined,
    touch: (at) => touched.value.add(at),
    preview,
    isCounting,
    previewError: error,
  });

  async function load(id: string): Promise<void> {
    const version = await readCampaign(id);
    draft.value = draftOf(version.campaign, preferences.zone);
    saver.adopt(version);
  }

  /** Resolves a conflict by taking these fields from the stored version. */
  function settle(takeTheirs: FieldName[]): void {
    const theirs = saver.conflict.value?.theirs;
    if (!theirs) return;
    const stored = draftOf(theirs.campaign, preferences.zone);
    const taken = Object.fromEntries(takeTheirs.map((field) => [draftFields[field].part, valueOf(stored, field)]));
    draft.value = { ...draft.value, ...taken };
    saver.settle(takeTheirs);
  }

  async function recount(): Promise<number | null> {
    const { data: now } = await refetch();
    return now?.reachableCount ?? null;
  }

  return {
    draft,
    fields,
    isChecked: computed(() => check.value !== null),
    issues,
    saver,
    preview,
    isCounting,
    showAll,
    load,
    settle,
    recount,
  };
}

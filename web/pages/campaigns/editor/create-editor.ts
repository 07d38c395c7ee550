import { refDebounced } from '@vueuse/core';
import { computed, type Ref } from 'vue';
import { exchange } from '#web/api/index.ts';
import { useAudiencePreview, type PreviewRequest } from '#web/api/queries/audiences.ts';
import { readCampaign } from '#web/api/queries/campaigns.ts';
import { usePreferences } from '#web/composables/use-preferences.ts';
import { createDraftSaver } from './draft/draft-saver.ts';
import { audienceOf, isNobody } from './draft/audience.ts';
import { draftFields, draftOf, type FieldName, valueOf } from './draft/draft.ts';
import { createDraftForm } from './draft/draft-form.ts';
import { provideEditor } from './use-editor.ts';
import { createShownVariant } from './variants/shown-variant.ts';

/** The editor's state: the draft, what needs fixing, saving, and the live count of its audience. */
export function createEditor(serviceNumberId: Readonly<Ref<string | undefined>>) {
  const preferences = usePreferences();
  const { draft, fields, raw, issues, showAll, isChecked, issueAt, touch } = createDraftForm();

  const saver = createDraftSaver({
    raw,
    fields,
    read: (id) => readCampaign(id),
    async create(fields) {
      if (!serviceNumberId.value) throw new Error('A draft was created without a service number');
      const { quiet } = draft.value.pace;
      // Left out, they are those of the settings.
      const pace = quiet === null ? { ...fields.pace, quietHours: 'none' as const } : fields.pace;
      const body = { ...fields, pace, serviceNumberId: serviceNumberId.value };
      const { response, headers } = await exchange('createCampaign', { body });
      if (draft.value.pace.quiet === 'usual') draft.value.pace.quiet = response.pace?.quietHours ?? null;
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
    // A condition or a sample that is still being written cannot be counted.
    const isWritten = audience.type === 'segment' || draft.value.audience.take !== null;
    if (isWritten && !fields.value.valid.audience) return null;
    return { serviceNumberId: serviceNumberId.value, audience };
  });
  const requestText = computed(() => JSON.stringify(request.value));
  const settledText = refDebounced(requestText, 300);
  const settledRequest = computed<PreviewRequest | null>(() => JSON.parse(settledText.value));
  const { data, error, isFetching, refetch } = useAudiencePreview(settledRequest);
  const preview = computed(() => (request.value ? data.value : undefined));
  const isCounting = computed(() => isFetching.value || requestText.value !== settledText.value);

  const variant = createShownVariant(draft);
  provideEditor({
    draft,
    campaignId: computed(() => saver.stored.value?.campaign.id ?? null),
    issues,
    variant,
    serviceNumberId,
    issueAt,
    touch,
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
    isChecked,
    issues,
    variant,
    saver,
    preview,
    isCounting,
    showAll,
    load,
    settle,
    recount,
  };
}

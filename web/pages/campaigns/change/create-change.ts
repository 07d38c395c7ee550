import { computed, ref, shallowRef } from 'vue';
import type { CampaignPatch } from '#domain/api/campaign.ts';
import type { VersionedCampaign } from '#web/api/queries/campaigns.ts';
import { usePreferences } from '#web/composables/use-preferences.ts';
import { createDraftForm } from '../editor/draft/draft-form.ts';
import { draftOf, type FieldName, fieldNames } from '../editor/draft/draft.ts';
import { createShownVariant } from '../editor/variants/shown-variant.ts';
import { provideEditor } from '../editor/use-editor.ts';

/** The change of a campaign that was sent: the stored version, and what differs from it. Nothing is saved by itself. */
export function createChange() {
  const preferences = usePreferences();
  const { draft, fields, raw, issues, showAll, isChecked, issueAt, touch } = createDraftForm();
  const stored = shallowRef<VersionedCampaign | null>(null);
  const storedRaw = ref<Record<FieldName, string>>({ ...raw.value });
  const changed = computed(() => fieldNames.filter((field) => raw.value[field] !== storedRaw.value[field]));

  const variant = createShownVariant(draft);
  provideEditor({
    draft,
    issues,
    variant,
    serviceNumberId: computed(() => stored.value?.campaign.serviceNumberId),
    issueAt,
    touch,
    preview: ref(undefined),
    isCounting: ref(false),
    previewError: ref(null),
  });

  return {
    draft,
    variant,
    issues,
    showAll,
    isChecked,
    stored,
    changed,
    /** The fields that differ, as the API expects them. */
    body: computed<CampaignPatch>(() =>
      Object.fromEntries(changed.value.map((field) => [field, fields.value.valid[field]])),
    ),
    /** Takes a version as the stored one, and shows it. */
    adopt(version: VersionedCampaign): void {
      stored.value = version;
      draft.value = draftOf(version.campaign, preferences.zone);
      storedRaw.value = { ...raw.value };
    },
  };
}

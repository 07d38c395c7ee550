import { nextTick } from 'vue';
import { useI18n } from 'vue-i18n';
import { removeVariant, variantsIn } from '../draft/variant-list.ts';
import { useDraftUndo } from '../message/use-removal.ts';
import { tabId, useEditor } from '../use-editor.ts';

/** The switch that begins and ends a test. */
export const SWITCH_ID = 'variants-switch';

/** Removes the chosen variant, with an undo; the focus moves to the tab in its place, or to the switch once there is no test. */
export function useVariantRemoval(): () => Promise<void> {
  const { t } = useI18n();
  const editor = useEditor();
  const { draft, variant } = editor;
  const offerUndo = useDraftUndo();
  return async () => {
    const number = variant.value + 1;
    const name = variantsIn(draft.value)[variant.value]?.name.trim() || t('variants.unnamed', { number });
    const putBack = removeVariant(draft.value, variant.value);
    offerUndo({
      done: t(draft.value.variants ? 'variants.removed' : 'variants.removedLast', { name }),
      undo: async () => putBack(draft.value),
      notUndone: t('editor.notPutBack'),
    });
    await nextTick();
    document.getElementById(draft.value.variants ? tabId(editor, variant.value) : SWITCH_ID)?.focus();
  };
}

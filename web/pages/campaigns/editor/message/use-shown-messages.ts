import { computed } from 'vue';
import type { DraftCard } from '../draft/cards.ts';
import { cardsAt, partsIn, placeAt } from '../draft/variant-list.ts';
import { type EditorContext, panelId, tabId } from '../use-editor.ts';

/** The messages that an editor shows: those of the variant or case whose tab is chosen, or of everybody. */
export function useShownMessages(editor: Pick<EditorContext, 'draft' | 'variant' | 'tabs'>) {
  const { draft, variant } = editor;
  return {
    cards: computed(() => cardsAt(draft.value, variant.value)),
    place: computed(() => placeAt(draft.value, variant.value)),
    /** Nothing is written for whoever gets nothing. */
    isSkipped: computed(() => draft.value.cases?.skips === true && variant.value === 0),
    /** What makes an element the panel of the chosen tab. */
    panel: computed(() => ({
      id: panelId(editor),
      role: 'tabpanel',
      'aria-labelledby': tabId(editor, variant.value),
    })),
    /** The cards of a variant or case, by its position now, wherever it is later. */
    itemsOf(position: number): () => DraftCard[] {
      const key = partsIn(draft.value)[position]?.key;
      return () => {
        const own = position === 0 ? draft.value.cards : undefined;
        const now = partsIn(draft.value).find((one) => one.key === key)?.cards ?? own;
        if (!now) throw new Error('These messages are not there any more');
        return now;
      };
    },
  };
}

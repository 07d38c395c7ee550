import { nextTick, onScopeDispose } from 'vue';
import { useToasts } from '#web/composables/use-toasts.ts';
import { type UndoableEdit, useUndoToast } from '#web/composables/use-undo-toast.ts';

export interface Removal<Item> {
  /** The list as it is at any later time. */
  items: () => Item[];
  index: number;
  /** The message, shown with an undo button. */
  done: string;
  notUndone: string;
  /** The element of each item, in order. */
  places: () => ArrayLike<Element>;
}

/** Offers to undo an edit of the draft, for as long as the part of the editor that made it is shown. */
export function useDraftUndo(): (edit: UndoableEdit) => void {
  const offerUndo = useUndoToast();
  const { dismissToast } = useToasts();
  const offered: number[] = [];
  onScopeDispose(() => offered.forEach(dismissToast));
  return (edit) => void offered.push(offerUndo(edit));
}

/**
 * Removes items from a draft immediately, with an undo for as long as the editor is open; the focus moves to a
 * neighbour.
 */
export function useRemoval() {
  const offerUndo = useDraftUndo();

  return async <Item>({ items, index, done, notUndone, places }: Removal<Item>): Promise<void> => {
    const [removed] = items().splice(index, 1);
    if (removed === undefined) return;
    const undo = async () => items().splice(index, 0, removed);
    offerUndo({ done, undo, notUndone });
    await nextTick();
    const neighbours = Array.from(places());
    const next = neighbours[Math.min(index, neighbours.length - 1)];
    next?.querySelector<HTMLElement>('button:not(:disabled), input, textarea')?.focus();
  };
}

import { readonly, shallowReactive } from 'vue';

export interface ToastAction {
  label: string;
  run: () => void;
}

export interface Toast {
  kind: 'success' | 'error';
  title: string;
  /** Lines below the title. */
  lines?: string[];
  action?: ToastAction;
  /** How long it stays, unless pointed at or focused; without a duration it stays until dismissed. */
  lastsMs?: number;
}

export type ShownToast = Toast & { id: number };

const shown = shallowReactive<ShownToast[]>([]);
const most = 5;
let last = 0;

const toasts = readonly(shown) as readonly ShownToast[];

function dismissToast(id: number): void {
  const index = shown.findIndex((toast) => toast.id === id);
  if (index !== -1) shown.splice(index, 1);
}

/** Where the stack is full, the oldest toast that would leave by itself makes room. */
function addToast(toast: Toast): number {
  if (shown.length >= most) dismissToast((shown.find(({ lastsMs }) => lastsMs) ?? shown[0])?.id ?? 0);
  last += 1;
  shown.push({ ...toast, id: last });
  return last;
}

/** Removes all of them, with their undo actions: another person is signed in now. */
function clearToasts(): void {
  shown.length = 0;
}

/** The messages in the corner, oldest first, the same for all callers. Adding one returns its id, for dismissing it. */
export function useToasts() {
  return { toasts, addToast, dismissToast, clearToasts };
}

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
  /** Goes by itself after this long, unless somebody points at it or is in it; stays until dismissed without. */
  lastsMs?: number;
}

export type ShownToast = Toast & { id: number };

const shown = shallowReactive<ShownToast[]>([]);
const most = 5;
let last = 0;

/** What ToastStack shows, oldest first. */
export const toasts = readonly(shown) as readonly ShownToast[];

export function dismissToast(id: number): void {
  const index = shown.findIndex((toast) => toast.id === id);
  if (index !== -1) shown.splice(index, 1);
}

/** Shows a message in the corner; the oldest that would go by itself makes room. */
export function addToast(toast: Toast): number {
  if (shown.length >= most) dismissToast((shown.find(({ lastsMs }) => lastsMs) ?? shown[0])?.id ?? 0);
  last += 1;
  shown.push({ ...toast, id: last });
  return last;
}

import type { DifferenceKind, ReconciliationStatus } from '#domain/orders/administration/reconciliation.ts';
import type { StatusStyle } from '#web/components/status/status.ts';

export const dayStyle: Record<ReconciliationStatus, StatusStyle> = {
  none: { color: 'neutral', icon: 'i-lucide-circle-dashed' },
  running: { color: 'info', icon: 'i-lucide-loader' },
  done: { color: 'success', icon: 'i-lucide-circle-check' },
  failed: { color: 'error', icon: 'i-lucide-circle-x' },
};

export const differenceStyle: Record<DifferenceKind, StatusStyle> = {
  paid_there_only: { color: 'warning', icon: 'i-lucide-arrow-down-left' },
  paid_here_only: { color: 'error', icon: 'i-lucide-arrow-up-right' },
  amount_differs: { color: 'error', icon: 'i-lucide-equal-not' },
  refunded_there_only: { color: 'warning', icon: 'i-lucide-undo-2' },
  unknown_order: { color: 'warning', icon: 'i-lucide-circle-question-mark' },
};

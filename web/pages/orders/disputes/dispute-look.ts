import type { DisputeStatus } from '#domain/orders/administration/disputes.ts';
import type { StatusStyle } from '#web/components/status/status.ts';

export const disputeStyle: Record<DisputeStatus, StatusStyle> = {
  open: { color: 'warning', icon: 'i-lucide-hourglass' },
  won: { color: 'success', icon: 'i-lucide-circle-check' },
  lost: { color: 'error', icon: 'i-lucide-circle-x' },
};

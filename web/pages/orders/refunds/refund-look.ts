import type { RefundStatus } from '#domain/orders/administration/refunds.ts';
import type { StatusStyle } from '#web/components/status/status.ts';

export const refundStyle: Record<RefundStatus, StatusStyle> = {
  pending: { color: 'warning', icon: 'i-lucide-hourglass' },
  confirmed: { color: 'success', icon: 'i-lucide-circle-check' },
  needs_staff: { color: 'error', icon: 'i-lucide-hand' },
};

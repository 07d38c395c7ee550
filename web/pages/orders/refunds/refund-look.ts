import type { RefundStatus } from '../../../../domain/orders/administration/refunds.ts';
import type { StatusLook } from '../../../components/status/status.ts';

export const refundLook: Record<RefundStatus, StatusLook> = {
  pending: { color: 'warning', icon: 'i-lucide-hourglass' },
  confirmed: { color: 'success', icon: 'i-lucide-circle-check' },
  needs_staff: { color: 'error', icon: 'i-lucide-hand' },
};

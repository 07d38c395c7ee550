import { useI18n } from 'vue-i18n';
import type { LocationQueryRaw, RouteLocationRaw } from 'vue-router';
import type { AuditEntryData, AuditSubject } from '#domain/orders/administration/audit.ts';
import { useTenant } from '../use-tenant.ts';

/** The page of each kind of subject; null where it has none. `query` names the tenant where it is not the session's. */
const pages: Record<AuditSubject, (id: string, query: LocationQueryRaw) => RouteLocationRaw | null> = {
  tenant: () => null,
  goods: (goodsId) => ({ name: 'app.goods-item', params: { goodsId } }),
  coupon: (_, query) => ({ name: 'app.coupons', query }),
  account: (id, query) => ({ name: 'app.points-account', params: { userId: userOf(id) }, query }),
  order: (orderId) => ({ name: 'app.order', params: { orderId } }),
  refund: () => null,
  callback: () => null,
  dispute: (_, query) => ({ name: 'app.disputes', query }),
  webhook: (_, query) => ({ name: 'app.webhook', query }),
  delivery: (_, query) => ({ name: 'app.webhook', query }),
  reconciliation: (id) => {
    const [date] = /\d{4}-\d\d-\d\d/.exec(id) ?? [];
    return date ? { name: 'app.reconciliation-day', params: { date } } : { name: 'app.reconciliation' };
  },
  access: () => null,
};

/** An account's id is `<user id>/<kind>`. */
function userOf(account: string): string {
  const end = account.lastIndexOf('/');
  return end > 0 ? account.slice(0, end) : account;
}

/** Labels for entries of the audit log of orders, and the page of their subject. */
export function useOrderAuditLabels() {
  const { t, te } = useI18n();
  const { query: ofTenant } = useTenant();
  return {
    actionOf: ({ action }: AuditEntryData): string => {
      const key = `salesAudit.action.${action.replaceAll(/\W/g, '_')}`;
      return te(key) ? t(key) : action;
    },
    addressOf: ({ subject }: AuditEntryData): RouteLocationRaw | null =>
      pages[subject.type]?.(subject.id, ofTenant.value) ?? null,
  };
}

import type { RouteLocationRaw } from 'vue-router';

export interface NavigationPage {
  /** Locale key of the label. */
  label: string;
  icon: string;
  to: RouteLocationRaw;
  /** Pages below this one, by the start of their route name. */
  covers: string;
  /** The letter after `g`. */
  key: string;
}

/**
 * The pages of the sidebar, the palette and the shortcuts, in this order: overview (o), campaigns (c), audiences (a),
 * contacts (p, people), tags (t), rules (r); sales: orders (d), goods (g), coupons (k), points (n), unmatched money (u),
 * reconciliation (b, books), changes to them (h, history), webhook (w); operations: event inbox (i), audit log (l),
 * settings (s).
 */
export const navigation: { label?: string; pages: NavigationPage[] }[] = [
  {
    pages: [
      {
        label: 'overview.title',
        icon: 'i-lucide-layout-dashboard',
        to: { name: 'app.overview' },
        covers: 'app.overview',
        key: 'o',
      },
      {
        label: 'campaigns.title',
        icon: 'i-lucide-megaphone',
        to: { name: 'app.campaigns' },
        covers: 'app.campaign',
        key: 'c',
      },
      {
        label: 'audiences.title',
        icon: 'i-lucide-book-user',
        to: { name: 'app.audiences' },
        covers: 'app.audience',
        key: 'a',
      },
      {
        label: 'contacts.title',
        icon: 'i-lucide-users',
        to: { name: 'app.contacts' },
        covers: 'app.contact',
        key: 'p',
      },
      { label: 'tags.title', icon: 'i-lucide-tags', to: { name: 'app.tags' }, covers: 'app.tag', key: 't' },
      {
        label: 'rules.title',
        icon: 'i-lucide-wand-sparkles',
        to: { name: 'app.rules' },
        covers: 'app.rule',
        key: 'r',
      },
    ],
  },
  {
    label: 'frame.sales',
    pages: [
      {
        label: 'orders.title',
        icon: 'i-lucide-shopping-bag',
        to: { name: 'app.orders' },
        covers: 'app.order',
        key: 'd',
      },
      { label: 'goods.title', icon: 'i-lucide-package', to: { name: 'app.goods' }, covers: 'app.goods', key: 'g' },
      { label: 'coupons.title', icon: 'i-lucide-ticket', to: { name: 'app.coupons' }, covers: 'app.coupons', key: 'k' },
      { label: 'points.title', icon: 'i-lucide-coins', to: { name: 'app.points' }, covers: 'app.points', key: 'n' },
      {
        label: 'unmatched.title',
        icon: 'i-lucide-circle-question-mark',
        to: { name: 'app.unmatched' },
        covers: 'app.unmatched',
        key: 'u',
      },
      {
        label: 'reconciliation.title',
        icon: 'i-lucide-scale',
        to: { name: 'app.reconciliation' },
        covers: 'app.reconciliation',
        key: 'b',
      },
      {
        label: 'salesAudit.title',
        icon: 'i-lucide-file-clock',
        to: { name: 'app.sales-audit' },
        covers: 'app.sales-audit',
        key: 'h',
      },
      {
        label: 'webhook.title',
        icon: 'i-lucide-webhook',
        to: { name: 'app.webhook' },
        covers: 'app.webhook',
        key: 'w',
      },
    ],
  },
  {
    label: 'frame.operations',
    pages: [
      { label: 'inbox.title', icon: 'i-lucide-inbox', to: { name: 'app.inbox' }, covers: 'app.inbox', key: 'i' },
      { label: 'audit.title', icon: 'i-lucide-scroll-text', to: { name: 'app.audit' }, covers: 'app.audit', key: 'l' },
      {
        label: 'settings.title',
        icon: 'i-lucide-settings',
        to: { name: 'app.settings' },
        covers: 'app.settings',
        key: 's',
      },
    ],
  },
];

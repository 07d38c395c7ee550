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
 * contacts (p, people), tags (t), rules (r), orders (d); operations: event inbox (i), audit log (l), settings (s).
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
      {
        label: 'orders.title',
        icon: 'i-lucide-shopping-bag',
        to: { name: 'app.orders' },
        covers: 'app.order',
        key: 'd',
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

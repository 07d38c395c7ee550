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

/** `covers` where the pages below this one have another beginning of their route name than this page's. */
function page({
  route,
  covers = route,
  ...shown
}: Pick<NavigationPage, 'label' | 'icon' | 'key'> & { route: string; covers?: string }): NavigationPage {
  return { ...shown, to: { name: route }, covers };
}

/**
 * The pages of the sidebar, the palette and the shortcuts, in this order. Some keys are of another word: p of people,
 * b of books (reconciliation), h of history, l of log,
 * e of every (repeats), m of month (calendar), f of flow (automations).
 */
export const navigation: { label?: string; pages: NavigationPage[] }[] = [
  {
    pages: [
      page({ key: 'o', label: 'overview.title', icon: 'i-lucide-layout-dashboard', route: 'app.overview' }),
      page({
        key: 'c',
        label: 'campaigns.title',
        icon: 'i-lucide-megaphone',
        route: 'app.campaigns',
        covers: 'app.campaign',
      }),
      page({ key: 'm', label: 'calendar.title', icon: 'i-lucide-calendar-days', route: 'app.calendar' }),
      page({ key: 'e', label: 'repeats.title', icon: 'i-lucide-repeat', route: 'app.repeats', covers: 'app.repeat' }),
      page({
        key: 'f',
        label: 'automations.title',
        icon: 'i-lucide-workflow',
        route: 'app.automations',
        covers: 'app.automation',
      }),
      page({
        key: 'a',
        label: 'audiences.title',
        icon: 'i-lucide-book-user',
        route: 'app.audiences',
        covers: 'app.audience',
      }),
      page({ key: 'p', label: 'contacts.title', icon: 'i-lucide-users', route: 'app.contacts', covers: 'app.contact' }),
      page({ key: 't', label: 'tags.title', icon: 'i-lucide-tags', route: 'app.tags', covers: 'app.tag' }),
      page({ key: 'r', label: 'rules.title', icon: 'i-lucide-wand-sparkles', route: 'app.rules', covers: 'app.rule' }),
    ],
  },
  {
    label: 'frame.sales',
    pages: [
      page({
        key: 'd',
        label: 'orders.title',
        icon: 'i-lucide-shopping-bag',
        route: 'app.orders',
        covers: 'app.order',
      }),
      page({ key: 'g', label: 'goods.title', icon: 'i-lucide-package', route: 'app.goods' }),
      page({ key: 'k', label: 'coupons.title', icon: 'i-lucide-ticket', route: 'app.coupons' }),
      page({ key: 'n', label: 'points.title', icon: 'i-lucide-coins', route: 'app.points' }),
      page({ key: 'u', label: 'unmatched.title', icon: 'i-lucide-circle-question-mark', route: 'app.unmatched' }),
      page({ key: 'b', label: 'reconciliation.title', icon: 'i-lucide-scale', route: 'app.reconciliation' }),
      page({ key: 'h', label: 'salesAudit.title', icon: 'i-lucide-file-clock', route: 'app.sales-audit' }),
      page({ key: 'w', label: 'webhook.title', icon: 'i-lucide-webhook', route: 'app.webhook' }),
    ],
  },
  {
    label: 'frame.operations',
    pages: [
      page({ key: 'i', label: 'inbox.title', icon: 'i-lucide-inbox', route: 'app.inbox' }),
      page({ key: 'l', label: 'audit.title', icon: 'i-lucide-scroll-text', route: 'app.audit' }),
      page({ key: 's', label: 'settings.title', icon: 'i-lucide-settings', route: 'app.settings' }),
    ],
  },
];

/** The page of the navigation that a route, by its name, is or stands below. */
export function pageOf(route: unknown): NavigationPage | undefined {
  if (typeof route !== 'string') return undefined;
  return navigation.flatMap(({ pages }) => pages).find(({ covers }) => route.startsWith(covers));
}

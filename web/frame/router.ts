import { createRouter, createWebHistory, type Router, type RouteRecordRaw } from 'vue-router';
import { salesPages } from './sales-pages.ts';

declare module 'vue-router' {
  interface RouteMeta {
    /** Locale key of the page's title. */
    title?: string;
    /** The page shows one service number's objects: `?sn=` is part of its address. */
    scoped?: boolean;
    /** Open to order administrators who have no other role. */
    orders?: boolean;
    /** Open to order administrators only. */
    sales?: boolean;
    /** An embedded page that viewers see if their tenant allows it. */
    viewers?: boolean;
  }
}

const campaignTabs: RouteRecordRaw[] = [
  { path: 'progress', component: () => import('../pages/campaigns/detail/progress/ProgressTab.vue') },
  { path: 'results', component: () => import('../pages/campaigns/detail/results/ResultsTab.vue') },
  { path: 'audience', component: () => import('../pages/campaigns/detail/audience/AudienceTab.vue') },
  { path: 'clicks', component: () => import('../pages/campaigns/detail/clicks/ClicksTab.vue') },
  { path: 'history', component: () => import('../pages/campaigns/detail/history/HistoryTab.vue') },
];

/** The campaign pages, the same under `/app` and inside the workbench tab. */
function campaignPages(surface: 'app' | 'embed'): RouteRecordRaw[] {
  const name = (page: string) => `${surface}.${page}`;
  return [
    {
      path: '',
      name: name('campaigns'),
      component: () => import('../pages/campaigns/list/CampaignsPage.vue'),
      meta: { title: 'campaigns.title', scoped: true },
    },
    {
      path: 'new',
      name: name('campaign-new'),
      component: () => import('../pages/campaigns/editor/EditorPage.vue'),
      meta: { title: 'editor.titleNew', scoped: true },
    },
    {
      path: ':id/edit',
      name: name('campaign-edit'),
      component: () => import('../pages/campaigns/editor/EditorPage.vue'),
      props: true,
      meta: { title: 'editor.title' },
    },
    {
      path: ':id/change',
      name: name('campaign-change'),
      component: () => import('../pages/campaigns/change/ChangePage.vue'),
      props: true,
      meta: { title: 'change.title' },
    },
    {
      path: ':id',
      component: () => import('../pages/campaigns/detail/CampaignPage.vue'),
      props: true,
      meta: { title: 'campaign.title' },
      children: [
        { path: '', name: name('campaign'), redirect: ({ params }) => ({ name: name('campaign-progress'), params }) },
        ...campaignTabs.map((tab) => ({ ...tab, name: name(`campaign-${tab.path}`), props: true })),
      ],
    },
  ] as RouteRecordRaw[];
}

const appPages: RouteRecordRaw[] = [
  {
    path: '',
    name: 'app.overview',
    component: () => import('../pages/overview/OverviewPage.vue'),
    meta: { title: 'overview.title', scoped: true },
  },
  { path: 'campaigns', children: campaignPages('app') },
  {
    path: 'audiences',
    name: 'app.audiences',
    component: () => import('../pages/audiences/AudiencesPage.vue'),
    meta: { title: 'audiences.title', scoped: true },
  },
  {
    path: 'audiences/:audienceId',
    name: 'app.audience',
    component: () => import('../pages/audiences/AudiencePage.vue'),
    props: true,
    meta: { title: 'audiences.one' },
  },
  {
    path: 'contacts',
    name: 'app.contacts',
    component: () => import('../pages/contacts/list/ContactsPage.vue'),
    meta: { title: 'contacts.title', scoped: true },
  },
  {
    path: 'contacts/:snId/:contactId',
    name: 'app.contact',
    component: () => import('../pages/contacts/detail/ContactPage.vue'),
    props: true,
    meta: { title: 'contact.title' },
  },
  {
    path: 'tags',
    name: 'app.tags',
    component: () => import('../pages/tags/TagsPage.vue'),
    meta: { title: 'tags.title', scoped: true },
  },
  {
    path: 'tags/:tagId',
    name: 'app.tag',
    component: () => import('../pages/tags/TagPage.vue'),
    props: true,
    meta: { title: 'tags.one' },
  },
  {
    path: 'rules',
    name: 'app.rules',
    component: () => import('../pages/rules/RulesPage.vue'),
    meta: { title: 'rules.title', scoped: true },
  },
  {
    path: 'rules/new',
    name: 'app.rule-new',
    component: () => import('../pages/rules/RuleEditPage.vue'),
    meta: { title: 'rules.new', scoped: true },
  },
  {
    path: 'rules/:ruleId',
    name: 'app.rule',
    component: () => import('../pages/rules/RulePage.vue'),
    props: true,
    meta: { title: 'rules.one' },
  },
  {
    path: 'rules/:ruleId/edit',
    name: 'app.rule-edit',
    component: () => import('../pages/rules/RuleEditPage.vue'),
    props: true,
    meta: { title: 'rules.edit' },
  },
  {
    path: 'orders',
    name: 'app.orders',
    component: () => import('../pages/orders/list/OrdersPage.vue'),
    meta: { title: 'orders.title', orders: true },
  },
  {
    path: 'orders/:orderId',
    name: 'app.order',
    component: () => import('../pages/orders/detail/OrderPage.vue'),
    props: true,
    meta: { title: 'orders.one', orders: true },
  },
  ...salesPages,
  {
    path: 'event-inbox',
    name: 'app.inbox',
    component: () => import('../pages/inbox/InboxPage.vue'),
    meta: { title: 'inbox.title' },
  },
  {
    path: 'refused-webhooks',
    name: 'app.inbox-refused',
    component: () => import('../pages/inbox/RefusedWebhooksPage.vue'),
    meta: { title: 'inbox.refused.title' },
  },
  {
    path: 'event-inbox/:eventId',
    name: 'app.inbox-event',
    component: () => import('../pages/inbox/InboxEventPage.vue'),
    props: true,
    meta: { title: 'inbox.one' },
  },
  {
    path: 'audit-log',
    name: 'app.audit',
    component: () => import('../pages/audit/AuditPage.vue'),
    meta: { title: 'audit.title' },
  },
  {
    path: 'audit-log/:auditId',
    name: 'app.audit-entry',
    component: () => import('../pages/audit/AuditEntryPage.vue'),
    props: true,
    meta: { title: 'audit.one' },
  },
  {
    path: 'settings',
    name: 'app.settings',
    component: () => import('../pages/settings/SettingsPage.vue'),
    meta: { title: 'settings.title' },
  },
];

const embedPages: RouteRecordRaw[] = [
  { path: 'main', name: 'embed.main', component: () => import('../embed/MainSlot.vue') },
  { path: 'sn-campaigns', children: campaignPages('embed') },
  {
    path: 'contact-touch',
    name: 'embed.contact',
    component: () => import('../embed/ContactSlot.vue'),
    meta: { viewers: true },
  },
  { path: 'settings', name: 'embed.settings', component: () => import('../embed/SettingsSlot.vue') },
];

/** To be created once the address holds no token: the history keeps the address it starts with. */
export function createConsoleRouter(): Router {
  return createRouter({
    history: createWebHistory(),
    scrollBehavior: (to, from, saved) => {
      if (saved) return saved;
      if (to.path !== from.path) return { top: 0 };
      // A section of the page that is shown already.
      if (to.hash) return { el: to.hash };
      return to.query['cursor'] === from.query['cursor'] ? false : { top: 0 };
    },
    routes: [
      { path: '/', redirect: '/app' },
      {
        path: '/app/checkout/:orderId',
        name: 'checkout',
        component: () => import('../checkout/CheckoutFrame.vue'),
        props: true,
        meta: { title: 'checkout.title' },
      },
      { path: '/app', component: () => import('./AppFrame.vue'), children: [...appPages, notFound('app')] },
      {
        path: '/embed',
        component: () => import('../embed/EmbedFrame.vue'),
        children: [...embedPages, notFound('embed')],
      },
      { path: '/:rest(.*)*', redirect: '/app' },
    ],
  });
}

function notFound(surface: string): RouteRecordRaw {
  return {
    path: ':rest(.*)*',
    name: `${surface}.not-found`,
    component: () => import('../pages/not-found/NotFoundPage.vue'),
    meta: { title: 'notFound.title', orders: true },
  };
}

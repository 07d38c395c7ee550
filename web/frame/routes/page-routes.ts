import type { PageRoute } from './page-route.ts';
import { salesPages } from './sales-pages.ts';

const campaignTabs: PageRoute[] = [
  { path: 'progress', page: 'pages/campaigns/detail/progress/ProgressTab.vue' },
  { path: 'results', page: 'pages/campaigns/detail/results/ResultsTab.vue' },
  { path: 'audience', page: 'pages/campaigns/detail/audience/AudienceTab.vue' },
  { path: 'clicks', page: 'pages/campaigns/detail/clicks/ClicksTab.vue' },
  { path: 'contacts', page: 'pages/campaigns/detail/contacts/ContactsTab.vue' },
  { path: 'history', page: 'pages/campaigns/detail/history/HistoryTab.vue' },
];

/** The campaign pages, the same under `/app` and inside the workbench tab. */
function campaignPages(surface: 'app' | 'embed'): PageRoute[] {
  const name = (page: string) => `${surface}.${page}`;
  return [
    {
      path: '',
      name: name('campaigns'),
      page: 'pages/campaigns/list/CampaignsPage.vue',
      meta: { title: 'campaigns.title', scoped: true },
    },
    {
      path: 'new',
      name: name('campaign-new'),
      page: 'pages/campaigns/editor/EditorPage.vue',
      meta: { title: 'editor.titleNew', scoped: true },
    },
    {
      path: ':id/edit',
      name: name('campaign-edit'),
      page: 'pages/campaigns/editor/EditorPage.vue',
      props: true,
      meta: { title: 'editor.title' },
    },
    {
      path: ':id/change',
      name: name('campaign-change'),
      page: 'pages/campaigns/change/ChangePage.vue',
      props: true,
      meta: { title: 'change.title' },
    },
    {
      path: ':id',
      page: 'pages/campaigns/detail/CampaignPage.vue',
      props: true,
      meta: { title: 'campaign.title' },
      children: [
        { path: '', name: name('campaign'), redirectTo: name('campaign-progress') },
        ...campaignTabs.map((tab) => ({ ...tab, name: name(`campaign-${tab.path}`), props: true as const })),
      ],
    },
  ];
}

const automationPages: PageRoute[] = [
  {
    path: '',
    name: 'app.automations',
    page: 'pages/automations/list/AutomationsPage.vue',
    meta: { title: 'automations.title', scoped: true },
  },
  {
    path: 'new',
    name: 'app.automation-new',
    page: 'pages/automations/edit/AutomationEditPage.vue',
    meta: { title: 'automations.new', scoped: true },
  },
  {
    path: ':automationId/edit',
    name: 'app.automation-edit',
    page: 'pages/automations/edit/AutomationEditPage.vue',
    props: true,
    meta: { title: 'automations.edit' },
  },
  {
    path: ':automationId',
    page: 'pages/automations/detail/AutomationPage.vue',
    props: true,
    meta: { title: 'automations.one' },
    children: [
      { path: '', name: 'app.automation', page: 'pages/automations/detail/OverviewTab.vue', props: true },
      { path: 'results', name: 'app.automation-results', page: 'pages/automations/detail/ResultsTab.vue', props: true },
      { path: 'entries', name: 'app.automation-entries', page: 'pages/automations/detail/EntriesTab.vue', props: true },
      { path: 'tasks', name: 'app.automation-tasks', page: 'pages/automations/detail/TasksTab.vue', props: true },
    ],
  },
];

const appPages: PageRoute[] = [
  {
    path: '',
    name: 'app.overview',
    page: 'pages/overview/OverviewPage.vue',
    meta: { title: 'overview.title', scoped: true },
  },
  { path: 'campaigns', children: campaignPages('app') },
  {
    path: 'templates',
    name: 'app.campaign-templates',
    page: 'pages/campaigns/templates/TemplatesPage.vue',
    meta: { title: 'templates.title', scoped: true },
  },
  {
    path: 'calendar',
    name: 'app.calendar',
    page: 'pages/calendar/CalendarPage.vue',
    meta: { title: 'calendar.title', scoped: true },
  },
  {
    path: 'repeats',
    name: 'app.repeats',
    page: 'pages/repeats/RepeatsPage.vue',
    texts: 'repeats',
    meta: { title: 'repeats.title', scoped: true },
  },
  {
    path: 'repeats/:repeatId',
    name: 'app.repeat',
    page: 'pages/repeats/RepeatPage.vue',
    texts: 'repeats',
    props: true,
    meta: { title: 'repeats.one' },
  },
  { path: 'automations', texts: 'automations', children: automationPages },
  {
    path: 'audiences',
    name: 'app.audiences',
    page: 'pages/audiences/AudiencesPage.vue',
    meta: { title: 'audiences.title', scoped: true },
  },
  {
    path: 'audiences/:audienceId',
    name: 'app.audience',
    page: 'pages/audiences/AudiencePage.vue',
    props: true,
    meta: { title: 'audiences.one' },
  },
  {
    path: 'contacts',
    name: 'app.contacts',
    page: 'pages/contacts/list/ContactsPage.vue',
    meta: { title: 'contacts.title', scoped: true },
  },
  {
    path: 'contacts/:snId/:contactId',
    name: 'app.contact',
    page: 'pages/contacts/detail/ContactPage.vue',
    props: true,
    meta: { title: 'contact.title' },
  },
  {
    path: 'tags',
    name: 'app.tags',
    page: 'pages/tags/TagsPage.vue',
    meta: { title: 'tags.title', scoped: true },
  },
  {
    path: 'tags/:tagId',
    name: 'app.tag',
    page: 'pages/tags/TagPage.vue',
    props: true,
    meta: { title: 'tags.one' },
  },
  {
    path: 'rules',
    name: 'app.rules',
    page: 'pages/rules/RulesPage.vue',
    meta: { title: 'rules.title', scoped: true },
  },
  {
    path: 'rules/new',
    name: 'app.rule-new',
    page: 'pages/rules/RuleEditPage.vue',
    meta: { title: 'rules.new', scoped: true },
  },
  {
    path: 'rules/:ruleId',
    name: 'app.rule',
    page: 'pages/rules/RulePage.vue',
    props: true,
    meta: { title: 'rules.one' },
  },
  {
    path: 'rules/:ruleId/edit',
    name: 'app.rule-edit',
    page: 'pages/rules/RuleEditPage.vue',
    props: true,
    meta: { title: 'rules.edit' },
  },
  {
    path: 'orders',
    name: 'app.orders',
    page: 'pages/orders/list/OrdersPage.vue',
    meta: { title: 'orders.title', orders: true },
  },
  {
    path: 'orders/:orderId',
    name: 'app.order',
    page: 'pages/orders/detail/OrderPage.vue',
    props: true,
    meta: { title: 'orders.one', orders: true },
  },
  ...salesPages,
  {
    path: 'event-inbox',
    name: 'app.inbox',
    page: 'pages/inbox/InboxPage.vue',
    meta: { title: 'inbox.title' },
  },
  {
    path: 'refused-webhooks',
    name: 'app.inbox-refused',
    page: 'pages/inbox/RefusedWebhooksPage.vue',
    meta: { title: 'inbox.refused.title' },
  },
  {
    path: 'event-inbox/:eventId',
    name: 'app.inbox-event',
    page: 'pages/inbox/InboxEventPage.vue',
    props: true,
    meta: { title: 'inbox.one' },
  },
  {
    path: 'audit-log',
    name: 'app.audit',
    page: 'pages/audit/AuditPage.vue',
    meta: { title: 'audit.title' },
  },
  {
    path: 'audit-log/:auditId',
    name: 'app.audit-entry',
    page: 'pages/audit/AuditEntryPage.vue',
    props: true,
    meta: { title: 'audit.one' },
  },
  {
    path: 'settings',
    name: 'app.settings',
    page: 'pages/settings/SettingsPage.vue',
    texts: 'settings',
    meta: { title: 'settings.title' },
  },
  {
    path: 'settings/webhook',
    name: 'app.settings-webhook',
    page: 'pages/settings/events/EventWebhookPage.vue',
    texts: 'settings',
    meta: { title: 'settings.events.title' },
  },
];

const embedPages: PageRoute[] = [
  { path: 'main', name: 'embed.main', page: 'embed/MainSlot.vue' },
  { path: 'sn-campaigns', children: campaignPages('embed') },
  {
    path: 'contact-touch',
    name: 'embed.contact',
    page: 'embed/ContactSlot.vue',
    meta: { viewers: true },
  },
  { path: 'settings', name: 'embed.settings', page: 'embed/SettingsSlot.vue', texts: 'settings' },
];

const notFound = (surface: string): PageRoute => ({
  path: ':rest(.*)*',
  name: `${surface}.not-found`,
  page: 'pages/not-found/NotFoundPage.vue',
  meta: { title: 'notFound.title', orders: true },
});

/** All of them, by the frame that is around them. */
export const pageRoutes: PageRoute[] = [
  {
    path: '/app/checkout/:orderId',
    name: 'checkout',
    page: 'checkout/CheckoutFrame.vue',
    props: true,
    meta: { title: 'checkout.title', payer: true },
  },
  {
    path: '/app',
    page: 'frame/AppFrame.vue',
    requests: ['/api/v1/me'],
    children: [...appPages, notFound('app')],
  },
  {
    path: '/embed',
    page: 'embed/EmbedFrame.vue',
    alongside: ['embed/bridge.ts'],
    children: [...embedPages, notFound('embed')],
  },
];

import type { PageRoute } from './page-route.ts';

/** What order administrators see beside the orders. */
export const salesPages: PageRoute[] = [
  {
    path: 'goods',
    name: 'app.goods',
    page: 'pages/orders/goods/GoodsListPage.vue',
    meta: { title: 'goods.title', sales: true },
  },
  {
    path: 'goods/:goodsId',
    name: 'app.goods-item',
    page: 'pages/orders/goods/GoodsPage.vue',
    props: true,
    meta: { title: 'goods.one', sales: true },
  },
  {
    path: 'coupons',
    name: 'app.coupons',
    page: 'pages/orders/coupons/CouponsPage.vue',
    meta: { title: 'coupons.title', sales: true },
  },
  {
    path: 'points',
    name: 'app.points',
    page: 'pages/orders/points/PointsPage.vue',
    meta: { title: 'points.title', sales: true },
  },
  {
    path: 'points/:userId',
    name: 'app.points-account',
    page: 'pages/orders/points/AccountPage.vue',
    props: true,
    meta: { title: 'points.one', sales: true },
  },
  {
    path: 'unmatched-money',
    name: 'app.unmatched',
    page: 'pages/orders/unmatched/UnmatchedPage.vue',
    meta: { title: 'unmatched.title', sales: true },
  },
  {
    path: 'unmatched-money/refunds',
    name: 'app.unmatched-refunds',
    page: 'pages/orders/refunds/RefundsPage.vue',
    meta: { title: 'refunds.title', sales: true },
  },
  {
    path: 'unmatched-money/disputes',
    name: 'app.disputes',
    page: 'pages/orders/disputes/DisputesPage.vue',
    meta: { title: 'disputes.title', sales: true },
  },
  {
    path: 'reconciliation',
    name: 'app.reconciliation',
    page: 'pages/orders/reconciliation/DaysPage.vue',
    meta: { title: 'reconciliation.title', sales: true },
  },
  {
    path: 'reconciliation/:date',
    name: 'app.reconciliation-day',
    page: 'pages/orders/reconciliation/DayPage.vue',
    props: true,
    meta: { title: 'reconciliation.one', sales: true },
  },
  {
    path: 'orders-audit',
    name: 'app.sales-audit',
    page: 'pages/orders/audit/OrderAuditPage.vue',
    meta: { title: 'salesAudit.title', sales: true },
  },
  {
    path: 'webhook',
    name: 'app.webhook',
    page: 'pages/orders/webhook/WebhookPage.vue',
    meta: { title: 'webhook.title', sales: true },
  },
];

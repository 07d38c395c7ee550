import type { Message } from '#domain/api/messages.ts';

/** The demonstration's first tenant; the sandbox has its people and its service numbers. */
export const tenant = { tenantId: 'harbor-coffee', serviceNumberId: 'sn-harbor', contacts: 5000 };

export const operator = {
  sub: 'ada',
  name: 'Ada Lin',
  tenantId: tenant.tenantId,
  roles: ['tenant_admin', 'order_admin'],
};

/** Tags, each assigned to every n-th contact. */
export const tags = [
  { name: 'Regulars', color: '#0f766e', every: 2 },
  { name: 'Oat milk', color: '#b45309', every: 5 },
  { name: 'Lapsed', color: '#be123c', every: 9 },
];

export const finishedCampaign = 'Autumn tasting week';

export const messages: Message[] = [
  {
    type: 'buttons',
    title: 'Autumn tasting week',
    text: 'Five single origins, one free cup each. Tell us when you are coming, and we will keep a seat for you.',
    actions: [
      { type: 'Postback', label: 'Keep me a seat', data: { event: 'InboundReason', bizEventCode: 'seat-wanted' } },
      { type: 'Postback', label: 'Send me the coupon', data: { event: 'Broadcast', bizEventCode: 'coupon-claimed' } },
      { type: 'Url', label: 'See the beans', url: 'https://harbor-coffee.example/autumn' },
    ],
  },
];

import { page } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { Faults } from '../faults.ts';
import type { Clicks } from '../platform/clicks/clicks.ts';
import type { Contacts } from '../platform/contacts/contacts.ts';
import type { Tasks } from '../platform/broadcasts/tasks.ts';
import type { Tenants } from '../platform/integration/tenants.ts';
import type { Webhooks } from '../platform/webhooks/webhooks.ts';
import { html } from './html.ts';
import { showPage } from './layout.ts';

export interface OverviewDeps {
  tenants: Tenants;
  contacts: Contacts;
  tasks: Tasks;
  clicks: Clicks;
  webhooks: Webhooks;
  faults: Faults;
  applicationUrl: string;
}

/** What the sandbox is, and where to go from here. */
export function overviewPages(deps: OverviewDeps): Route[] {
  const { tenants, contacts, tasks, clicks, webhooks, faults, applicationUrl } = deps;
  const places = [
    [`${applicationUrl}/app/`, 'Console', 'Write and send campaigns. Sign in as anyone.'],
    ['/phone', 'Phone', 'The cards a customer received, with buttons to press.'],
    ['/admin', 'Platform', 'Install, update, rotate and uninstall the application.'],
    ['/host', 'Embedded', 'The application inside the platform’s desktop client.'],
    ['/payment-gateway', 'Payments', 'Charges, and the page where customers pay.'],
    ['/merchant', 'Merchant', 'The events of orders, as a merchant receives them.'],
    ['/identity/.well-known/openid-configuration', 'Identity', 'The identity service’s OpenID configuration.'],
  ] as const;
  const figures = (): Array<[string, number]> => [
    ['tenants', tenants.list().length],
    [
      'contacts',
      tenants
        .list()
        .flatMap((tenant) => tenant.serviceNumbers)
        .reduce((sum, { serviceNumberId }) => sum + contacts.count(serviceNumberId), 0),
    ],
    ['broadcast tasks', tasks.count()],
    ['clicks', clicks.list().length],
    ['webhooks waiting', webhooks.log.counts().pending],
    ['active faults', faults.list().length],
  ];
  return [
    page('/', () => {
      const body = html`<main>
        <h1>The sandbox</h1>
        <p class="quiet">Development’s platform, identity service, payment gateway and merchant.</p>
        <div class="figures">
          ${figures().map(([name, value]) => html`<div><b>${value.toLocaleString('en')}</b><span>${name}</span></div>`)}
        </div>
        <div class="grid">
          ${places.map(
            ([href, name, text]) =>
              html`<a class="card" href="${href}"
                ><h2>${name}</h2>
                <p>${text}</p></a
              >`,
          )}
        </div>
      </main>`;
      return showPage({ title: 'Sandbox', body });
    }),
  ];
}

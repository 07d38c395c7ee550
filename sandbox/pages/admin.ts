import { page } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { Contacts } from '../platform/contacts/contacts.ts';
import type { Integration, Integrations } from '../platform/integration/integrations.ts';
import type { Tenant, Tenants } from '../platform/integration/tenants.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { showPage } from './layout.ts';

export interface AdminPageDeps {
  integrations: Integrations;
  tenants: Tenants;
  contacts: Contacts;
  defaultAppId: string;
  defaultInstallBaseUrl: string;
}

const domains = 'contact visitor service-number notice session label entry-source broadcast';

function applications({ integrations, defaultAppId, defaultInstallBaseUrl }: AdminPageDeps): Html {
  const apps = integrations.apps();
  const rows = apps.map(
    (app) =>
      html`<tr>
        <td><b>${app.appId}</b></td>
        <td><code>${app.installBaseUrl}</code></td>
        <td>${app.supportedEvents.join(', ')}</td>
      </tr>`,
  );
  return html`<h2>Applications</h2>
    ${
      apps.length > 0
        ? html`<table>
            <thead>
              <tr>
                <th>Application</th>
                <th>Install address</th>
                <th>Events</th>
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>`
        : html`<form class="card row" data-call="/admin/integrations/apps">
            <label>Application id<input name="appId" value="${defaultAppId}" required /></label>
            <label
              >Install address<input name="installBaseUrl" value="${defaultInstallBaseUrl}" size="30" required
            /></label>
            <label>Events<input name="supportedEvents" data-kind="list" value="${domains}" size="40" /></label>
            <button class="primary">Register</button>
          </form>`
    }`;
}

function integrationRow(integration: Integration): Html {
  const path = `/admin/tenant-integrations/${integration.tenantIntegrationId}`;
  const active = integration.status === 'ACTIVE';
  const { lastCall } = integration;
  return html`<tr>
    <td>
      <code>${integration.tenantIntegrationId}</code><br /><span class="quiet">${integration.webhookUrl ?? ''}</span>
    </td>
    <td><span class="pill ${integration.status}">${integration.status}</span></td>
    <td>${integration.slots.map(({ slot }) => html`<span class="pill">${slot}</span> `)}</td>
    <td>
      ${lastCall ? html`${lastCall.call}: ${lastCall.status ?? 'no response'}<br /><span class="quiet">${lastCall.at.slice(0, 16).replace('T', ' ')}</span>` : '—'}
    </td>
    <td>
      <div class="row">
        ${integration.status === 'PENDING' && html`<button data-call="${path}:install">Install</button>`}
        ${active && html`<button data-call="${path}:update">Update</button>`}
        ${active && html`<button data-call="${path}:rotate-secret" data-body='{"graceSeconds":3600}'>Rotate secret</button>`}
        ${active && html`<button class="danger" data-call="${path}:uninstall" data-confirm="Uninstall the application for this tenant?">Uninstall</button>`}
      </div>
    </td>
  </tr>`;
}

function tenantCard({ integrations, contacts }: AdminPageDeps, tenant: Tenant): Html {
  const { platformTenantId, serviceNumbers } = tenant;
  const own = integrations.list().filter((one) => one.platformTenantId === platformTenantId);
  const current = own.some((one) => one.status !== 'UNINSTALLED');
  const numbers = serviceNumbers.map(
    ({ serviceNumberId, name }) =>
      html`<form
        class="row"
        data-call="/sandbox/contacts"
        data-body="${JSON.stringify({ tenant: platformTenantId, serviceNumberId, emit: true })}"
      >
        <span
          ><b>${name}</b> <code>${serviceNumberId}</code> · ${contacts.count(serviceNumberId).toLocaleString('en')}
          contacts</span
        >
        <label>Add contacts<input name="count" data-kind="number" type="number" min="1" value="500" /></label>
        <button>Add and announce</button>
      </form>`,
  );
  return html`<section class="card tenant">
    <header>
      <div>
        <h2>${tenant.name}</h2>
        <p class="quiet"><code>${platformTenantId}</code> · ${tenant.type}</p>
      </div>
      ${current ? null : html`<button class="primary" data-call="/admin/tenants/${platformTenantId}/tenant-integrations">Install the application</button>`}
    </header>
    ${
      own.length > 0 &&
      html`<table>
        <thead>
          <tr>
            <th>Integration</th>
            <th>Status</th>
            <th>Slots</th>
            <th>Last call</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${own.toReversed().map(integrationRow)}
        </tbody>
      </table>`
    }
    ${numbers}
  </section>`;
}

/** Applications, tenants and their integrations, with buttons for every lifecycle call. */
export function adminPages(deps: AdminPageDeps): Route[] {
  return [
    page('/admin', () => {
      const tenants = deps.tenants.list();
      const body = html`<main>
        <h1>Platform administration</h1>
        <p class="quiet">
          Registers the application and installs, updates, rotates and uninstalls it for a tenant, by signed calls.
        </p>
        ${applications(deps)}
        <h2>Tenants</h2>
        ${tenants.length > 0 ? tenants.map((tenant) => tenantCard(deps, tenant)) : html`<p class="empty">No tenant yet.</p>`}
      </main>`;
      return showPage({ title: 'Platform', body, scripts: ['admin.js'] });
    }),
  ];
}

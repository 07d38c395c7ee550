import { page } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { bodyOf } from '../merchant/receivers.ts';
import type { MerchantEvent, Receivers } from '../merchant/receivers.ts';
import type { Tenants } from '../platform/integration/tenants.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { showPage } from './layout.ts';

export interface MerchantPageDeps {
  receivers: Receivers;
  tenants: Tenants;
}

const SHOWN_EVENTS = 200;

interface Summary {
  type: string;
  about: string;
}

/** The type of an event, and the order, campaign or tag that it is about, as far as its body says. */
function summaryOf(event: MerchantEvent): Summary {
  const body = bodyOf(event) as { type?: unknown; data?: Record<string, unknown> | null } | null;
  const { orderNo, orderId, campaignId, tagName, tagId } = body?.data ?? {};
  const about = orderNo ?? orderId ?? campaignId ?? tagName ?? tagId;
  return {
    type: typeof body?.type === 'string' ? body.type : '—',
    about: typeof about === 'string' ? about : '—',
  };
}

function eventRow(event: MerchantEvent, repeated: boolean): Html {
  const { type, about } = summaryOf(event);
  const signature = event.signature ?? 'unchecked';
  return html`<tr>
    <td><time>${event.receivedAt}</time></td>
    <td>${type}${repeated && html` <span class="pill">repeated</span>`}</td>
    <td>${about}</td>
    <td><span class="pill ${signature}">${signature}</span></td>
    <td>
      <details>
        <summary><code>${event.headers['webhook-id'] ?? 'no webhook-id'}</code></summary>
        <pre>${event.raw}</pre>
      </details>
    </td>
  </tr>`;
}

function eventTable(events: readonly MerchantEvent[]): Html {
  if (events.length === 0) return html`<p class="empty">No event yet.</p>`;
  const seen = new Set<string | null>();
  const rows = events.map((event) => {
    const id = event.headers['webhook-id'];
    const repeated = id !== null && seen.has(id);
    seen.add(id);
    return eventRow(event, repeated);
  });
  return html`<table>
    <thead>
      <tr>
        <th>Received</th>
        <th>Event</th>
        <th>About</th>
        <th>Signature</th>
        <th>Id and body</th>
      </tr>
    </thead>
    <tbody>
      ${rows.slice(-SHOWN_EVENTS).toReversed()}
    </tbody>
  </table>`;
}

function settingsCard({ receivers }: MerchantPageDeps, tenantId: string): Html {
  const { secret, down } = receivers.settingsOf(tenantId);
  const path = `/sandbox/merchant/${encodeURIComponent(tenantId)}`;
  return html`<section class="card tenant">
    <header>
      <div>
        <h2><code>POST ${path}/events</code></h2>
        <p class="quiet">
          <span class="pill ${down ? 'down' : 'up'}">${down ? 'down: answers 503' : 'up'}</span>
        </p>
      </div>
      <button data-call="${path}" data-method="PUT" data-body="${JSON.stringify({ down: !down })}">
        ${down ? 'Bring it up' : 'Take it down'}
      </button>
    </header>
    <form class="row" data-call="${path}" data-method="PUT">
      <label
        >Secret<input name="secret" data-kind="optional" value="${secret ?? ''}" placeholder="whsec_…" size="48"
      /></label>
      <button>Set</button>
    </form>
  </section>`;
}

function merchantPage(deps: MerchantPageDeps, wanted: string | null) {
  const { receivers, tenants } = deps;
  const known = [...new Set([...receivers.tenantIds(), ...tenants.list().map((one) => one.platformTenantId)])];
  const tenantId = wanted ?? known[0] ?? '';
  const options = known.map((id) =>
    id === tenantId
      ? html`<option value="${id}" selected>${tenants.find(id)?.name ?? id}</option>`
      : html`<option value="${id}">${tenants.find(id)?.name ?? id}</option>`,
  );
  const body = html`<main>
    <h1>Merchant</h1>
    <p class="quiet">
      The events as a tenant’s own systems receive them, newest first: of orders, and, as the tenant with “-campaigns”,
      of campaigns.
    </p>
    <form class="row">
      <label
        >Tenant<select name="tenant">
          ${options}
        </select></label
      >
      <button>Show</button>
    </form>
    ${
      tenantId === ''
        ? html`<p class="empty">No tenant yet.</p>`
        : html`${settingsCard(deps, tenantId)} ${eventTable(receivers.eventsOf(tenantId))}`
    }
  </main>`;
  return showPage({ title: 'Merchant', body, scripts: ['admin.js'] });
}

/** What a merchant's receiver got, with its secret and a way to take it down. */
export function merchantPages(deps: MerchantPageDeps): Route[] {
  return [page('/merchant', (call) => merchantPage(deps, call.query.get('tenant')))];
}

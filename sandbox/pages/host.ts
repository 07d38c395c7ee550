import { page } from '../http/route.ts';
import type { ApiResponse, Call, Route } from '../http/route.ts';
import type { People } from '../identity/people.ts';
import type { MintToken } from '../identity/tokens.ts';
import type { Contacts } from '../platform/contacts/contacts.ts';
import type { Integrations } from '../platform/integration/integrations.ts';
import type { Tenants } from '../platform/integration/tenants.ts';
import { html, scriptData } from './html.ts';
import type { Html } from './html.ts';
import { showPage } from './layout.ts';

export interface HostDeps {
  tenants: Tenants;
  contacts: Contacts;
  integrations: Integrations;
  people: People;
  mint: MintToken;
  applicationUrl: string;
}

const slots = ['main', 'sn-campaigns', 'contact-touch', 'settings'];

interface Context {
  slot: string;
  tenantId: string;
  serviceNumberId: string;
  contactId: string;
  person: string;
}

function contextOf({ tenants, contacts, people }: HostDeps, { query }: Call): Context {
  const tenantId = query.get('tenant') ?? tenants.list()[0]?.platformTenantId ?? '';
  const [number] = tenants.find(tenantId)?.serviceNumbers ?? [];
  const serviceNumberId = query.get('serviceNumber') ?? number?.serviceNumberId ?? '';
  const [first] = contacts.iterate(serviceNumberId);
  const colleagues = people.list().filter((person) => person.tenantId === tenantId);
  const slot = query.get('slot') ?? 'main';
  return {
    slot: slots.includes(slot) ? slot : 'main',
    tenantId,
    serviceNumberId,
    contactId: query.get('contact') ?? first?.contactId ?? '',
    person: colleagues.find(({ sub }) => sub === query.get('as'))?.sub ?? colleagues[0]?.sub ?? '',
  };
}

const options = (values: Array<[value: string, label: string]>, selected: string): Html[] =>
  values.map(([value, label]) =>
    value === selected
      ? html`<option value="${value}" selected>${label}</option>`
      : html`<option value="${value}">${label}</option>`,
  );

function bar({ tenants, people }: HostDeps, context: Context): Html {
  const colleagues = people.list().filter((person) => person.tenantId === context.tenantId);
  const numbers = tenants.find(context.tenantId)?.serviceNumbers ?? [];
  const choice = (label: string, name: string, values: Array<[string, string]>, selected: string) =>
    html`<label
      >${label}<select name="${name}" data-submit>
        ${options(values, selected)}
      </select></label
    >`;
  return html`<form class="row bar">
    ${choice(
      'Slot',
      'slot',
      slots.map((slot) => [slot, slot]),
      context.slot,
    )}
    ${choice(
      'Tenant',
      'tenant',
      tenants.list().map((one) => [one.platformTenantId, one.name]),
      context.tenantId,
    )}
    ${choice(
      'Service number',
      'serviceNumber',
      numbers.map((one) => [one.serviceNumberId, one.name]),
      context.serviceNumberId,
    )}
    ${choice(
      'Signed in as',
      'as',
      colleagues.map((one) => [one.sub, `${one.name} (${one.roles.join(', ')})`]),
      context.person,
    )}
    <label>Contact<input name="contact" value="${context.contactId}" /></label>
    <button>Show</button>
  </form>`;
}

async function hostPage(deps: HostDeps, call: Call): Promise<ApiResponse> {
  const context = contextOf(deps, call);
  const person = deps.people.find(context.person);
  const registered = deps.integrations.activeOf(context.tenantId)?.slots.find(({ slot }) => slot === context.slot);
  const address = registered?.endpointUrl ?? `${deps.applicationUrl}/embed/${context.slot}`;
  const { tenantId, serviceNumberId, contactId } = context;
  const token = person ? await deps.mint(person) : '';
  const init = { token, tenantId, serviceNumberId, contactId, locale: 'en', timeZone: 'Asia/Taipei', theme: 'light' };
  const contact = deps.contacts.find(serviceNumberId, contactId);
  const side = context.slot === 'contact-touch';
  const chat = html`<div class="chat">
    <h2>${contact?.displayName ?? contactId}</h2>
    <div class="bubble">Hello, is the spring offer still on?</div>
    <div class="bubble own">It is, until Sunday. Shall I reserve one for you?</div>
    <div class="bubble">Yes, please!</div>
  </div>`;
  const body = html`<div class="host">
    ${bar(deps, context)}
    <div class="stage ${side ? 'side' : ''}">
      ${side && chat}
      <iframe title="Outreach" data-src="${address}"></iframe>
    </div>
    ${scriptData('bridge', { origin: new URL(address).origin, init })}
  </div>`;
  return showPage({ title: 'Desktop client', body, scripts: ['host.js'] });
}

/**
 * A minimal desktop client of the platform: one of the application's slots in a frame, and the bridge that gives
 * it its context.
 */
export function hostPages(deps: HostDeps): Route[] {
  return [page('/host', (call) => hostPage(deps, call))];
}

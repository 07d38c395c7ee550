import { control, created, ok, readJson, readQuery } from '../http/route.ts';
import type { Answer, Call, Route } from '../http/route.ts';
import { actOnContacts, announceAll, makeContacts } from './contact-control.ts';
import type { ContactDeps } from './contact-control.ts';
import type { Contact } from './contact.ts';
import { announceSchema, contactActionSchema, contactsSchema, tagSchema, tenantSchema } from './control-schemas.ts';

const LONGEST_LIST = 10_000;

function listContacts({ contacts }: ContactDeps, call: Call): Answer {
  const serviceNumberId = readQuery(call, 'serviceNumberId');
  const limit = Math.min(Number(call.query.get('limit') ?? 50), LONGEST_LIST);
  const items: Contact[] = [];
  for (const contact of contacts.iterate(serviceNumberId, Number(call.query.get('offset') ?? 0))) {
    if (items.length >= limit) break;
    items.push(contact);
  }
  return ok({ total: contacts.count(serviceNumberId), items });
}

/** The control of tenants, service numbers, contacts and platform-side tags. */
export function contactRoutes(deps: ContactDeps): Route[] {
  const { tenants, contacts } = deps;
  return [
    control('POST', '/sandbox/tenants', (call) => {
      const tenant = readJson(call, tenantSchema);
      tenants.assertFree(tenant);
      tenants.record(tenant);
      return created(tenant);
    }),
    control('GET', '/sandbox/tenants', () => ok({ items: tenants.list() })),
    control('POST', '/sandbox/contacts', (call) => makeContacts(deps, readJson(call, contactsSchema))),
    control('POST', '/sandbox/contacts\\:announce', (call) => announceAll(deps, readJson(call, announceSchema))),
    control('POST', '/sandbox/contacts\\:act', (call) => actOnContacts(deps, readJson(call, contactActionSchema))),
    control('GET', '/sandbox/contacts', (call) => listContacts(deps, call)),
    control('POST', '/sandbox/tags', (call) => {
      const tag = readJson(call, tagSchema);
      contacts.record({ kind: 'label', ...tag });
      return created(tag);
    }),
  ];
}

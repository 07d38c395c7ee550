import type { z } from 'zod';
import { control, created, ok, readJson, readQuery } from '#sandbox/http/route.ts';
import type { Route } from '#sandbox/http/route.ts';
import { actOnContacts, announceAll, makeContacts } from './control.ts';
import type { ContactDeps } from './control.ts';
import type { Contact } from './contact.ts';
import {
  announceSchema,
  contactActionSchema,
  contactsQuery,
  contactsSchema,
  tagSchema,
  tenantSchema,
} from '../control/schemas.ts';

function listContacts({ contacts }: ContactDeps, { serviceNumberId, offset, limit }: z.infer<typeof contactsQuery>) {
  const items: Contact[] = [];
  for (const contact of contacts.iterate(serviceNumberId, offset)) {
    if (items.length >= limit) break;
    items.push(contact);
  }
  return { total: contacts.count(serviceNumberId), items };
}

/** Control API for tenants, service numbers, contacts and platform-side tags. */
export function contactRoutes(deps: ContactDeps): Route[] {
  const { tenants, contacts } = deps;
  return [
    control('POST', '/sandbox/tenants', { summary: 'Creates or replaces a tenant', body: tenantSchema }, (call) => {
      const tenant = readJson(call);
      tenants.assertFree(tenant);
      tenants.record(tenant);
      return created(tenant);
    }),
    control('GET', '/sandbox/tenants', { summary: 'All tenants' }, () => ok({ items: tenants.list() })),
    control(
      'POST',
      '/sandbox/contacts',
      { summary: 'Creates contacts, given or generated', body: contactsSchema },
      (call) => makeContacts(deps, readJson(call)),
    ),
    control(
      'POST',
      '/sandbox/contacts:announce',
      { summary: 'Sends contact.entered for every contact of a service number', body: announceSchema },
      (call) => announceAll(deps, readJson(call)),
    ),
    control(
      'POST',
      '/sandbox/contacts:act',
      { summary: 'Lets contacts follow, unsubscribe, change …', body: contactActionSchema },
      (call) => actOnContacts(deps, readJson(call)),
    ),
    control('GET', '/sandbox/contacts', { summary: 'The contacts of a service number', query: contactsQuery }, (call) =>
      ok(listContacts(deps, readQuery(call))),
    ),
    control(
      'POST',
      '/sandbox/tags',
      { summary: 'Creates, renames or deletes a tag of a service number', body: tagSchema },
      (call) => {
        const tag = readJson(call);
        contacts.record({ kind: 'label', ...tag });
        return created(tag);
      },
    ),
  ];
}

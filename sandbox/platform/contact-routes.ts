import type { z } from 'zod';
import { created, ok, readJson, readQuery, Refusal } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { createId } from '../random.ts';
import { contactData } from './contact-events.ts';
import type { ContactEvents } from './contact-events.ts';
import type { Contact, ContactRange, Contacts } from './contacts.ts';
import { announceSchema, contactActionSchema, contactsSchema, tagSchema, tenantSchema } from './control-schemas.ts';
import type { Integrations } from './integrations.ts';
import type { Tenants } from './tenants.ts';
import type { Webhooks } from './webhooks.ts';

export interface ContactRouteDeps {
  tenants: Tenants;
  contacts: Contacts;
  contactEvents: ContactEvents;
  integrations: Integrations;
  webhooks: Webhooks;
}

const eventOf = {
  enter: 'contact.entered',
  follow: 'contact.followed',
  unfollow: 'contact.unfollowed',
  unsubscribe: 'contact.unsubscribed',
  resubscribe: 'contact.resubscribed',
  update: 'contact.updated',
} as const;

type Action = z.infer<typeof contactActionSchema>;

function changed(contact: Contact, { action, changes }: Action): Contact {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const next = { ...contact, ...given };
  if (action === 'unfollow') return { ...next, following: false };
  if (action === 'unsubscribe') return { ...next, unsubscribed: true };
  if (action === 'resubscribe') return { ...next, unsubscribed: false };
  return action === 'follow' || action === 'enter' ? { ...next, following: true } : next;
}

/** The control of tenants, service numbers, contacts and platform-side tags. */
export function contactRoutes(deps: ContactRouteDeps): Route[] {
  const { tenants, contacts, contactEvents, webhooks } = deps;

  function assertNumber(platformTenantId: string, serviceNumberId: string): void {
    tenants.get(platformTenantId);
    if (tenants.ownerOf(serviceNumberId)?.platformTenantId === platformTenantId) return;
    throw new Refusal(404, 'not_found', `the tenant has no service number ${serviceNumberId}`);
  }

  /** Where a tenant's events go. */
  function listener(platformTenantId: string) {
    const integration = deps.integrations.activeOf(platformTenantId);
    if (!integration?.webhookUrl) throw new Refusal(409, 'not_installed', 'the tenant has no ACTIVE integration');
    return { tenantIntegrationId: integration.tenantIntegrationId, url: integration.webhookUrl };
  }

  function emitContact(
    platformTenantId: string,
    serviceNumberId: string,
    contact: Contact,
    event: string,
    at?: string,
  ) {
    webhooks.emit(listener(platformTenantId), {
      eventType: event,
      serviceNumberId,
      data: contactData(serviceNumberId, contact),
      occurredAt: at,
    });
  }

  async function makeContacts(body: z.infer<typeof contactsSchema>) {
    const { tenant, serviceNumberId, count, emit, wait } = body;
    assertNumber(tenant, serviceNumberId);
    if (emit) listener(tenant);
    const prefix = body.prefix ?? `${serviceNumberId}-`;
    if (count !== undefined) {
      const range = {
        rangeId: createId('range'),
        serviceNumberId,
        prefix,
        from: contacts.nextNumber(serviceNumberId, prefix),
        count,
      };
      contacts.record({ kind: 'range', range });
      const announced = emit ? contactEvents.announce(listener(tenant), range) : undefined;
      if (wait) await announced;
      return created({ created: count, ...boundsOf(range), emitted: emit ? count : 0 });
    }
    for (const given of body.contacts ?? []) {
      const contact = { following: true, unsubscribed: false, labels: [], ...given } as Contact;
      contacts.record({ kind: 'contact', serviceNumberId, contact });
      if (emit) emitContact(tenant, serviceNumberId, contact, eventOf.enter);
    }
    const made = body.contacts?.length ?? 0;
    return created({ created: made, emitted: emit ? made : 0 });
  }

  function act(body: Action) {
    const tenant = tenants.ownerOf(body.serviceNumberId);
    if (!tenant) throw new Refusal(404, 'not_found', `there is no service number ${body.serviceNumberId}`);
    const { serviceNumberId } = body;
    const found = body.contactIds.map((contactId) => {
      const contact = contacts.find(serviceNumberId, contactId);
      if (!contact) throw new Refusal(404, 'not_found', `there is no contact ${contactId}`);
      return contact;
    });
    if (body.emit) listener(tenant.platformTenantId);
    for (const contact of found) {
      const next = changed(contact, body);
      contacts.record({ kind: 'contact', serviceNumberId, contact: next });
      if (body.emit) emitContact(tenant.platformTenantId, serviceNumberId, next, eventOf[body.action], body.occurredAt);
    }
    return ok({ changed: found.length });
  }

  async function announceAll({ tenant, serviceNumberId, wait }: z.infer<typeof announceSchema>) {
    assertNumber(tenant, serviceNumberId);
    const to = listener(tenant);
    const runs = contacts.ranges(serviceNumberId).map((range) => contactEvents.announce(to, range));
    for (const contact of contacts.singles(serviceNumberId))
      emitContact(tenant, serviceNumberId, contact, eventOf.enter);
    if (wait) await Promise.all(runs);
    return ok({ emitted: contacts.count(serviceNumberId) });
  }

  return [
    {
      code: 'control',
      method: 'POST',
      path: '/sandbox/tenants',
      handle: (call) => {
        const tenant = readJson(call, tenantSchema);
        tenants.assertFree(tenant);
        tenants.record(tenant);
        return created(tenant);
      },
    },
    { code: 'control', method: 'GET', path: '/sandbox/tenants', handle: () => ok({ items: tenants.list() }) },
    {
      code: 'control',
      method: 'POST',
      path: '/sandbox/contacts',
      handle: (call) => makeContacts(readJson(call, contactsSchema)),
    },
    {
      code: 'control',
      method: 'POST',
      path: '/sandbox/contacts\\:announce',
      handle: (call) => announceAll(readJson(call, announceSchema)),
    },
    {
      code: 'control',
      method: 'POST',
      path: '/sandbox/contacts\\:act',
      handle: (call) => act(readJson(call, contactActionSchema)),
    },
    {
      code: 'control',
      method: 'GET',
      path: '/sandbox/contacts',
      handle: (call) => {
        const serviceNumberId = readQuery(call, 'serviceNumberId');
        const offset = Number(call.query.get('offset') ?? 0);
        const limit = Math.min(Number(call.query.get('limit') ?? 50), 10_000);
        const items: Contact[] = [];
        for (const contact of contacts.iterate(serviceNumberId, offset)) {
          if (items.length >= limit) break;
          items.push(contact);
        }
        return ok({ total: contacts.count(serviceNumberId), items });
      },
    },
    {
      code: 'control',
      method: 'POST',
      path: '/sandbox/tags',
      handle: (call) => {
        const tag = readJson(call, tagSchema);
        contacts.record({ kind: 'label', ...tag });
        return created(tag);
      },
    },
  ];
}

function boundsOf({ prefix, from, count }: ContactRange) {
  return { prefix, from, to: from + count - 1 };
}

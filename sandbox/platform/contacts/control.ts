import type { z } from 'zod';
import { created, ok, SandboxError } from '#sandbox/http/route.ts';
import type { ApiResponse } from '#sandbox/http/route.ts';
import { createId } from '#sandbox/random.ts';
import { contactData } from './events.ts';
import type { ContactEvents } from './events.ts';
import type { Contact } from './contact.ts';
import type { Contacts } from './contacts.ts';
import type { announceSchema, contactActionSchema, contactsSchema } from '../control/schemas.ts';
import type { Integrations } from '../integration/integrations.ts';
import type { Tenants } from '../integration/tenants.ts';
import type { Recipient, Webhooks } from '../webhooks/webhooks.ts';

export interface ContactDeps {
  tenants: Tenants;
  contacts: Contacts;
  contactEvents: ContactEvents;
  integrations: Integrations;
  webhooks: Webhooks;
}

type Wanted = z.infer<typeof contactsSchema>;
type Action = z.infer<typeof contactActionSchema>;

const eventOf = {
  enter: 'contact.entered',
  follow: 'contact.followed',
  unfollow: 'contact.unfollowed',
  unsubscribe: 'contact.unsubscribed',
  resubscribe: 'contact.resubscribed',
  update: 'contact.updated',
} as const;

/**
 * The recipient of a tenant's events.
 * @throws Refusal 409 if nothing is installed
 */
export function listenerOf({ integrations }: Pick<ContactDeps, 'integrations'>, platformTenantId: string): Recipient {
  const integration = integrations.activeOf(platformTenantId);
  if (!integration?.webhookUrl) throw new SandboxError(409, 'not_installed', 'the tenant has no ACTIVE integration');
  return { tenantIntegrationId: integration.tenantIntegrationId, url: integration.webhookUrl };
}

function assertNumber({ tenants }: ContactDeps, platformTenantId: string, serviceNumberId: string): void {
  tenants.get(platformTenantId);
  if (tenants.ownerOf(serviceNumberId)?.platformTenantId === platformTenantId) return;
  throw new SandboxError(404, 'not_found', `the tenant has no service number ${serviceNumberId}`);
}

function emit(
  { webhooks }: ContactDeps,
  to: Recipient,
  serviceNumberId: string,
  contact: Contact,
  action: keyof typeof eventOf,
  occurredAt?: string,
): void {
  const data = contactData(serviceNumberId, contact);
  webhooks.emit(to, { eventType: eventOf[action], serviceNumberId, data, occurredAt });
}

async function makeRange(deps: ContactDeps, body: Wanted, count: number): Promise<ApiResponse> {
  const { tenant, serviceNumberId } = body;
  const prefix = body.prefix ?? `${serviceNumberId}-`;
  const from = deps.contacts.nextNumber(serviceNumberId, prefix);
  const range = { rangeId: createId('range'), serviceNumberId, prefix, from, count };
  deps.contacts.record({ kind: 'range', range });
  const announced = body.emit ? deps.contactEvents.announce(listenerOf(deps, tenant), range) : undefined;
  if (body.wait) await announced;
  return created({ created: count, prefix, from, to: from + count - 1, emitted: body.emit ? count : 0 });
}

/** Creates contacts: a generated range, or the ones given. */
export function makeContacts(deps: ContactDeps, body: Wanted): ApiResponse | Promise<ApiResponse> {
  const { tenant, serviceNumberId, contacts = [] } = body;
  assertNumber(deps, tenant, serviceNumberId);
  const to = body.emit ? listenerOf(deps, tenant) : undefined;
  if (body.count !== undefined) return makeRange(deps, body, body.count);
  for (const given of contacts) {
    const contact = { following: true, unsubscribed: false, labels: [], ...given } as Contact;
    deps.contacts.record({ kind: 'contact', serviceNumberId, contact });
    if (to) emit(deps, to, serviceNumberId, contact, 'enter');
  }
  return created({ created: contacts.length, emitted: to ? contacts.length : 0 });
}

function changed(contact: Contact, { action, changes }: Action): Contact {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const next = { ...contact, ...given };
  if (action === 'unfollow') return { ...next, following: false };
  if (action === 'unsubscribe') return { ...next, unsubscribed: true };
  if (action === 'resubscribe') return { ...next, unsubscribed: false };
  return action === 'follow' || action === 'enter' ? { ...next, following: true } : next;
}

/** Contacts follow, unfollow, unsubscribe, resubscribe or change; if any of them is unknown, nothing happens. */
export function actOnContacts(deps: ContactDeps, body: Action): ApiResponse {
  const { serviceNumberId, contactIds, action, occurredAt } = body;
  const tenant = deps.tenants.ownerOf(serviceNumberId);
  if (!tenant) throw new SandboxError(404, 'not_found', `there is no service number ${serviceNumberId}`);
  const found = contactIds.map((contactId) => {
    const contact = deps.contacts.find(serviceNumberId, contactId);
    if (!contact) throw new SandboxError(404, 'not_found', `there is no contact ${contactId}`);
    return contact;
  });
  const to = body.emit ? listenerOf(deps, tenant.platformTenantId) : undefined;
  for (const contact of found) {
    const next = changed(contact, body);
    deps.contacts.record({ kind: 'contact', serviceNumberId, contact: next });
    if (to) emit(deps, to, serviceNumberId, next, action, occurredAt);
  }
  return ok({ changed: found.length });
}

/** Sends `contact.entered` for every contact of the service number. */
export async function announceAll(deps: ContactDeps, body: z.infer<typeof announceSchema>): Promise<ApiResponse> {
  const { tenant, serviceNumberId } = body;
  assertNumber(deps, tenant, serviceNumberId);
  const to = listenerOf(deps, tenant);
  const runs = deps.contacts.ranges(serviceNumberId).map((range) => deps.contactEvents.announce(to, range));
  for (const contact of deps.contacts.singles(serviceNumberId)) emit(deps, to, serviceNumberId, contact, 'enter');
  if (body.wait) await Promise.all(runs);
  return ok({ emitted: deps.contacts.count(serviceNumberId) });
}

import { z } from 'zod';
import { ok, param, readJson, SandboxError, route } from '#sandbox/http/route.ts';
import type { Route } from '#sandbox/http/route.ts';
import type { Contact } from './contact.ts';
import type { Contacts } from './contacts.ts';
import { assertOwnServiceNumber, signed } from '../gateway.ts';
import type { GatewayDeps } from '../gateway.ts';

const batch = z.object({
  contactIds: z.array(z.string().min(1)).min(1).max(1000),
  labels: z.array(z.string().min(1)).min(1).max(100),
});

/** D1 to D3. D1 creates labels that the service number does not have yet. */
export function labelRoutes(deps: GatewayDeps & { contacts: Contacts }): Route[] {
  const base = '/openapi/v1/service-numbers/{snId}/contacts';

  function contactsOf(serviceNumberId: string, contactIds: string[]): Contact[] {
    const unknown = contactIds.filter((contactId) => !deps.contacts.has(serviceNumberId, contactId));
    if (unknown.length > 0) {
      throw new SandboxError(422, 'contact_not_found', 'some contacts are unknown', { contactIds: unknown });
    }
    return contactIds.flatMap((contactId) => deps.contacts.find(serviceNumberId, contactId) ?? []);
  }

  const change = (code: string, verb: 'add' | 'remove', summary: string): Route =>
    route(
      { code, method: 'POST', path: `${base}/labels:${verb}` },
      { summary, access: 'signature', body: batch, response: z.object({ contacts: z.number() }) },
      signed(deps, (call, integration) => {
        const serviceNumberId = param(call, 'snId');
        assertOwnServiceNumber(deps, integration, serviceNumberId);
        const { contactIds, labels } = readJson(call);
        const contacts = contactsOf(serviceNumberId, contactIds);
        if (verb === 'add') makeLabels(deps.contacts, serviceNumberId, labels);
        for (const contact of contacts) {
          const kept = contact.labels.filter((label) => !labels.includes(label));
          const changed = { ...contact, labels: verb === 'add' ? [...kept, ...new Set(labels)] : kept };
          deps.contacts.record({ kind: 'contact', serviceNumberId, contact: changed });
        }
        return ok({ contacts: contacts.length });
      }),
    );

  return [
    change('D1', 'add', 'Adds labels to contacts'),
    change('D2', 'remove', 'Removes labels from contacts'),
    route(
      { code: 'D3', method: 'GET', path: `${base}/{contactId}/labels` },
      {
        summary: 'The labels of a contact',
        access: 'signature',
        response: z.object({ contactId: z.string(), labels: z.array(z.string()) }),
      },
      signed(deps, (call, integration) => {
        const serviceNumberId = param(call, 'snId');
        assertOwnServiceNumber(deps, integration, serviceNumberId);
        const contact = deps.contacts.find(serviceNumberId, param(call, 'contactId'));
        if (!contact) throw new SandboxError(404, 'not_found', 'there is no such contact');
        return ok({ contactId: contact.contactId, labels: contact.labels });
      }),
    ),
  ];
}

function makeLabels(contacts: Contacts, serviceNumberId: string, labels: string[]): void {
  for (const tagId of labels) {
    if (contacts.labels(serviceNumberId).get(tagId)?.deleted === false) continue;
    contacts.record({ kind: 'label', serviceNumberId, tagId, name: tagId, deleted: false });
  }
}

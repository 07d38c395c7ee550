import { contactOperations } from '../../../../domain/api/contacts.ts';
import { Problem } from '../../../../domain/api/problem.ts';
import { tagOperations } from '../../../../domain/api/tags.ts';
import { timelineOperations } from '../../../../domain/api/timeline.ts';
import { countContacts, listServiceNumbers } from '../../../../db/outreach/tenants/service-numbers.ts';
import { findContact, listContacts } from '../../../../db/outreach/contacts/contacts.ts';
import { listContactTags } from '../../../../db/outreach/tags/assignments.ts';
import { readTimeline } from '../../../../db/outreach/contacts/timeline.ts';
import type { Actor } from '../../auth.ts';
import type { BackendDeps, ServeActor } from '../../deps.ts';

/** Service numbers and contacts: read only, the platform is their sole authority (S0, rule 10). */
export function contactRoutes(serve: ServeActor, { database }: BackendDeps): void {
  const load = async ({ actor, params }: { actor: Actor; params: { snId: string; contactId: string } }) => {
    const contact = await findContact(database, actor.tenantId, params.snId, params.contactId);
    if (!contact) throw new Problem('not_found', 'The service number has no such contact');
    return contact;
  };

  serve(contactOperations.listServiceNumbers, {
    handle: ({ actor, query }) => listServiceNumbers(database, actor.tenantId, query),
  });

  serve(contactOperations.countContacts, {
    handle: async ({ actor }) => ({ items: await countContacts(database, actor.tenantId) }),
  });

  serve(contactOperations.listContacts, {
    handle: ({ actor, query }) => listContacts(database, actor.tenantId, query),
  });

  serve(contactOperations.getContact, { load, handle: async ({ loaded }) => loaded });

  serve(tagOperations.listContactTags, {
    load,
    handle: ({ actor, loaded, query }) => listContactTags(database, actor.tenantId, loaded, query),
  });

  serve(timelineOperations.getContactTimeline, {
    load,
    handle: ({ actor, loaded, query }) => readTimeline(database, actor.tenantId, loaded, query),
  });
}

import { contactOperations } from '#domain/api/contacts.ts';
import { Problem } from '#domain/api/problem.ts';
import { tagOperations } from '#domain/api/tags.ts';
import { timelineOperations } from '#domain/api/timeline.ts';
import { mapPage } from '#domain/cursor.ts';
import { countContacts, listServiceNumbers } from '#db/outreach/tenants/service-numbers.ts';
import { findContact, listContacts } from '#db/outreach/contacts/contacts.ts';
import { membersOfControlGroup } from '#db/outreach/tenants/control-group.ts';
import { countValues } from '#db/outreach/contacts/values.ts';
import { listContactTags } from '#db/outreach/tags/assignments.ts';
import { readTimeline } from '#db/outreach/contacts/timeline.ts';
import type { Actor } from '#api/backend/auth.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import { presentContactTag } from '../tags/present.ts';
import { presentContact, presentServiceNumber } from './present.ts';

/** Service numbers and contacts. Read-only: the platform is their sole authority (S0, rule 10). */
export function contactRoutes(serve: ServeActor, { database }: BackendDeps): void {
  const load = async ({ actor, params }: { actor: Actor; params: { snId: string; contactId: string } }) => {
    const contact = await findContact(database, actor.tenantId, params.snId, params.contactId);
    if (!contact) throw new Problem('not_found', 'The service number has no such contact');
    return contact;
  };

  serve(contactOperations.listServiceNumbers, {
    handle: async ({ actor, query }) =>
      mapPage(await listServiceNumbers(database, actor.tenantId, query), presentServiceNumber),
  });

  serve(contactOperations.countContacts, {
    handle: async ({ actor }) => ({ items: await countContacts(database, actor.tenantId) }),
  });

  serve(contactOperations.listContacts, {
    handle: async ({ actor, query }) => mapPage(await listContacts(database, actor.tenantId, query), presentContact),
  });

  serve(contactOperations.listContactValues, {
    handle: async ({ actor: { tenantId }, query }) => ({ items: await countValues(database, { tenantId, ...query }) }),
  });

  serve(contactOperations.getContact, {
    load,
    handle: async ({ actor, loaded }) => ({
      ...presentContact(loaded),
      inControlGroup: (await membersOfControlGroup(database, actor.tenantId, [loaded.contactId])).size > 0,
    }),
  });

  serve(tagOperations.listContactTags, {
    load,
    handle: async ({ actor, loaded, query }) =>
      mapPage(await listContactTags(database, actor.tenantId, loaded, query), presentContactTag),
  });

  serve(timelineOperations.getContactTimeline, {
    load,
    handle: ({ actor, loaded, query }) => readTimeline(database, actor.tenantId, loaded, query),
  });
}

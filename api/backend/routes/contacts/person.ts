import { findContact } from '#db/outreach/contacts/contacts.ts';
import { erase } from '#commands/outreach/erasure/erase.ts';
import { beginErasure } from '#commands/outreach/erasure/begin-erasure.ts';
import { isBeingErased } from '#db/outreach/erasure/erasures.ts';
import { exportPerson } from '#db/outreach/erasure/export.ts';
import { isKnown, type Person } from '#db/outreach/erasure/traces.ts';
import { hasServiceNumber } from '#db/outreach/tenants/service-numbers.ts';
import { personOperations } from '#domain/api/person.ts';
import { Problem } from '#domain/api/problem.ts';
import { sendJson } from '#api/http/json-stream.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { finishesSoon } from '#api/backend/finishes-soon.ts';

interface Addressed {
  actor: Actor;
  params: { snId: string; contactId: string };
}

/** One person's data: all of it for the person, and none of it any more. */
export function personRoutes(serve: ServeActor, { database, encryption, logger, now }: BackendDeps): void {
  const none = () => new Problem('not_found', 'The service number has no such contact');

  async function reachServiceNumber({ actor: { tenantId }, params: { snId } }: Addressed): Promise<void> {
    if (!(await hasServiceNumber(database, tenantId, snId))) throw none();
  }

  /** Lists and snapshots may name a contact without a profile. */
  async function load({ actor: { tenantId }, params: { snId, contactId } }: Addressed): Promise<Person> {
    const person = { tenantId, contactId };
    const found =
      (await findContact(database, tenantId, snId, contactId)) !== null ||
      ((await hasServiceNumber(database, tenantId, snId)) &&
        ((await isKnown(database, person)) || (await isBeingErased(database, encryption, person))));
    if (!found) throw none();
    return person;
  }

  serve(personOperations.exportContact, {
    load,
    handle: async ({ ctx, loaded: person }) => {
      const members = { contactId: person.contactId, exportedAt: now().toISOString() };
      const lists = exportPerson(database, person);
      sendJson(ctx, { name: 'contact', members, lists });
      // The stream is the whole response.
      return undefined as never;
    },
  });

  serve(personOperations.eraseContact, {
    load,
    reach: reachServiceNumber,
    handle: async ({ actor, loaded: { contactId }, body: { reason } }) => {
      const erasure = await beginErasure(database, encryption, authorOf(actor), { contactId, reason, now: now() });
      const { erasureId } = erasure;
      const finished = await finishesSoon(erase(database, encryption, erasure, now), (error) =>
        logger.warn({ err: error, erasureId }, 'an erasure stopped; the sweep will continue it'),
      );
      return { erasureId, finished };
    },
  });
}

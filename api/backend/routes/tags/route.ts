import { batchOperations } from '#domain/api/batches.ts';
import { Problem } from '#domain/api/problem.ts';
import { tagOperations } from '#domain/api/tags.ts';
import { mapPage } from '#domain/cursor.ts';
import { assignTag } from '#commands/outreach/tags/assign-tag.ts';
import { listTagAssignments } from '#db/outreach/tags/assignments.ts';
import { tagContacts } from '#commands/outreach/tags/tag-contacts.ts';
import { unassignTag } from '#commands/outreach/tags/unassign-tag.ts';
import { archiveTag, archiveTags } from '#commands/outreach/tags/archive-tag.ts';
import { createTag } from '#commands/outreach/tags/create-tag.ts';
import { findTag, listTags } from '#db/outreach/tags/tags.ts';
import { updateTag } from '#commands/outreach/tags/update-tag.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { ifMatch } from '#api/backend/if-match.ts';
import { presentTag, presentTagAssignment } from './present.ts';

export function tagRoutes(serve: ServeActor, { database, now }: BackendDeps): void {
  const load = async ({ actor, params }: { actor: Actor; params: { tagId: string } }) => {
    const tag = await findTag(database, actor.tenantId, params.tagId);
    if (!tag) throw new Problem('not_found', 'There is no tag with this id');
    return tag;
  };

  serve(tagOperations.listTags, {
    handle: async ({ actor, query }) => {
      const at = now();
      return mapPage(await listTags(database, actor.tenantId, query, at), (tag) => presentTag(tag, at));
    },
  });

  serve(tagOperations.createTag, {
    handle: async ({ actor, body }) => presentTag(await createTag(database, authorOf(actor), body, now()), now()),
  });

  serve(tagOperations.getTag, { load, handle: async ({ loaded }) => presentTag(loaded, now()) });

  serve(tagOperations.updateTag, {
    load,
    current: ({ loaded }) => presentTag(loaded, now()),
    handle: async ({ actor, params, headers, body: patch }) => {
      const change = { patch, now: now(), checkRevision: ifMatch(headers['if-match']) };
      return presentTag(await updateTag(database, authorOf(actor), params.tagId, change), change.now);
    },
  });

  serve(tagOperations.archiveTag, {
    load,
    handle: async ({ actor, params, headers }) => {
      const given = { now: now(), checkRevision: ifMatch(headers['if-match']) };
      await archiveTag(database, authorOf(actor), params.tagId, given);
      return undefined;
    },
  });

  serve(batchOperations.archiveTags, {
    handle: async ({ actor, body }) => ({ items: await archiveTags(database, authorOf(actor), body.tagIds, now()) }),
  });

  serve(batchOperations.tagContacts, {
    load,
    handle: async ({ actor, params: { tagId }, body: { contactIds } }) => ({
      items: await tagContacts(database, authorOf(actor), { tagId, contactIds }, now()),
    }),
  });

  serve(tagOperations.assignTag, {
    load,
    handle: ({ actor, params, body }) => assignTag(database, authorOf(actor), params.tagId, body.contactIds, now()),
  });

  serve(tagOperations.unassignTag, {
    load,
    handle: async ({ actor, params, body }) => {
      await unassignTag(database, authorOf(actor), params.tagId, body.contactIds, now());
      return undefined;
    },
  });

  serve(tagOperations.listTagAssignments, {
    load,
    handle: async ({ actor, params, query }) =>
      mapPage(await listTagAssignments(database, actor.tenantId, params.tagId, query), presentTagAssignment),
  });
}

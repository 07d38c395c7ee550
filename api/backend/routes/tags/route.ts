import { Problem } from '../../../../domain/api/problem.ts';
import { tagOperations } from '../../../../domain/api/tags.ts';
import { assignTag, listTagAssignments, unassignTag } from '../../../../db/outreach/tags/assignments.ts';
import { archiveTag, createTag, findTag, listTags, presentTag, updateTag } from '../../../../db/outreach/tags/tags.ts';
import type { Actor } from '../../auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '../../deps.ts';

export function tagRoutes(serve: ServeActor, { database, now }: BackendDeps): void {
  const load = async ({ actor, params }: { actor: Actor; params: { tagId: string } }) => {
    const tag = await findTag(database, actor.tenantId, params.tagId);
    if (!tag) throw new Problem('not_found', 'There is no tag of this id');
    return tag;
  };

  serve(tagOperations.listTags, {
    handle: ({ actor, query }) => listTags(database, actor.tenantId, query, now()),
  });

  serve(tagOperations.createTag, {
    handle: ({ actor, body }) => createTag(database, authorOf(actor), body, now()),
  });

  serve(tagOperations.getTag, { load, handle: async ({ loaded }) => presentTag(loaded, now()) });

  serve(tagOperations.updateTag, {
    load,
    handle: ({ actor, params, body }) => updateTag(database, authorOf(actor), params.tagId, body, now()),
  });

  serve(tagOperations.archiveTag, {
    load,
    handle: async ({ actor, params }) => {
      await archiveTag(database, authorOf(actor), params.tagId, now());
      return undefined;
    },
  });

  serve(tagOperations.assignTag, {
    load,
    handle: ({ actor, params, body }) => assignTag(database, authorOf(actor), params.tagId, body.contactIds, now()),
  });

  serve(tagOperations.unassignTag, {
    load,
    handle: async ({ actor, params, body }) => {
      await unassignTag(database, authorOf(actor), params.tagId, body.contactIds);
      return undefined;
    },
  });

  serve(tagOperations.listTagAssignments, {
    load,
    handle: ({ actor, params, query }) => listTagAssignments(database, actor.tenantId, params.tagId, query),
  });
}

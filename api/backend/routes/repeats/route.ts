import { scheduleRepeat } from '#activities/outreach/repeats/repeats.ts';
import { Problem } from '#domain/api/problem.ts';
import { repeatOperations } from '#domain/api/repeats.ts';
import { mapPage } from '#domain/cursor.ts';
import { listRepeatRuns, listRepeats } from '#db/outreach/repeats/lists.ts';
import { createRepeat } from '#commands/outreach/repeats/create-repeat.ts';
import { findRepeat, type RepeatRecord } from '#db/outreach/repeats/repeats.ts';
import { moveRepeat } from '#commands/outreach/repeats/move-repeat.ts';
import { updateRepeat } from '#commands/outreach/repeats/update-repeat.ts';
import { currentRequestId } from '#api/http/request-id.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { ifMatch } from '#api/backend/if-match.ts';
import { presentRepeat, presentRepeatRun } from './present.ts';

interface RepeatCall {
  actor: Actor;
  params: { repeatId: string };
}

/** Campaigns on a calendar. */
export function repeatRoutes(serve: ServeActor, deps: BackendDeps): void {
  const { database, logger, now } = deps;

  const load = async ({ actor: { tenantId }, params: { repeatId } }: RepeatCall) => {
    const repeat = await findRepeat(database, { tenantId, repeatId });
    if (!repeat) throw new Problem('not_found', 'There is no repeat with this id');
    return repeat;
  };

  /** The row is stored; a Schedule that cannot be written now is written by the sweep. */
  async function respond(repeat: RepeatRecord) {
    const { tenantId, repeatId } = repeat;
    await scheduleRepeat(deps, { tenantId, repeatId }).catch((error: unknown) =>
      logger.warn(
        { err: error, repeatId, requestId: currentRequestId() },
        'a Schedule could not be written; the sweep will write it',
      ),
    );
    return presentRepeat(repeat);
  }

  serve(repeatOperations.listRepeats, {
    handle: async ({ actor, query }) => mapPage(await listRepeats(database, actor.tenantId, query), presentRepeat),
  });

  serve(repeatOperations.createRepeat, {
    handle: async ({ actor, body }) => respond(await createRepeat(database, authorOf(actor), body, now())),
  });

  serve(repeatOperations.getRepeat, { load, handle: async ({ loaded }) => presentRepeat(loaded) });

  serve(repeatOperations.updateRepeat, {
    load,
    current: ({ loaded }) => presentRepeat(loaded),
    handle: async ({ actor, params, headers, body: patch }) => {
      const change = { patch, now: now(), checkRevision: ifMatch(headers['if-match']) };
      return respond(await updateRepeat(database, authorOf(actor), params.repeatId, change));
    },
  });

  const actions = { pause: 'pauseRepeat', resume: 'resumeRepeat', end: 'endRepeat' } as const;
  for (const action of ['pause', 'resume', 'end'] as const)
    serve(repeatOperations[actions[action]], {
      load,
      handle: async ({ actor, params }) =>
        respond(await moveRepeat(database, authorOf(actor), params.repeatId, { action, now: now() })),
    });

  serve(repeatOperations.listRepeatRuns, {
    load,
    handle: async ({ params, query }) =>
      mapPage(await listRepeatRuns(database, params.repeatId, query), presentRepeatRun),
  });
}

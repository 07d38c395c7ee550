import { addCopywriting } from '#commands/outreach/campaigns/add-copywriting.ts';
import { type CopyOutcome, readCopywriting } from '#db/outreach/campaigns/copywriting.ts';
import { assertActiveServiceNumber } from '#commands/outreach/tenants/service-numbers.ts';
import { aiOperations, type CopyDrafts } from '#domain/api/ai.ts';
import { Problem, type ProblemCode } from '#domain/api/problem.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';

const codes: Record<Exclude<CopyOutcome['kind'], 'written'>, ProblemCode> = {
  refused: 'invalid_content',
  misconfigured: 'invalid_state',
  failed: 'unavailable',
};

const lateResponse: CopyOutcome = { kind: 'failed', message: 'The AI provider is taking too long; try again' };

function draftsOf(outcome: CopyOutcome): CopyDrafts {
  if (outcome.kind === 'written') return outcome.drafts;
  const code = codes[outcome.kind];
  throw new Problem(code, outcome.message, code === 'unavailable' ? { retryAfterSeconds: 10 } : {});
}

/** Text written by a model. A repeated request counts as a new one: drafts cost nothing beyond writing them. */
export function aiRoutes(serve: ServeActor, deps: BackendDeps): void {
  serve(aiOperations.writeCopy, {
    load: async () => {
      if (!deps.toolApiEnabled) throw new Problem('phase_2', 'Copywriting is disabled (TOOL_API_ENABLED)');
    },
    handle: async ({ actor, body }) => {
      if (!deps.aiConfigured)
        throw new Problem('invalid_state', 'No AI provider is configured: set AI_BASE_URL, AI_MODEL and AI_API_KEY');
      const { tenantId } = actor;
      if (body.serviceNumberId !== undefined)
        await assertActiveServiceNumber(deps.database, tenantId, body.serviceNumberId);
      const ref = { tenantId, copywritingId: await addCopywriting(deps.database, authorOf(actor), body) };
      await deps.launcher.writeCopy(ref);
      return draftsOf((await readCopywriting(deps.database, ref)) ?? lateResponse);
    },
  });
}

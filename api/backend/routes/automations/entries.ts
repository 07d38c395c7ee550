import { automationEntryOperations } from '#domain/api/automation-entries.ts';
import { Problem } from '#domain/api/problem.ts';
import { allPages, mapPage } from '#domain/cursor.ts';
import { rehearseAutomation } from '#commands/outreach/automations/rehearse-automation.ts';
import { listEntries } from '#db/outreach/automations/entries.ts';
import { readAutomationResults } from '#db/outreach/automations/results.ts';
import { findSubTask, listSubTasks } from '#db/outreach/sends/sub-tasks.ts';
import { sendCsv } from '#api/http/csv.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import { resolveReported } from '../sends/resolving.ts';
import { automationLoader } from './automation.ts';
import { presentAutomationTask, presentEntry } from './present.ts';

const PAGE = 1000;

function taskRoutes(serve: ServeActor, deps: BackendDeps): void {
  const { database } = deps;
  const load = automationLoader(deps);

  serve(automationEntryOperations.listAutomationTasks, {
    load,
    handle: async ({ actor, params, query }) =>
      mapPage(await listSubTasks(database, actor.tenantId, params.automationId, query), presentAutomationTask),
  });

  serve(automationEntryOperations.resolveAutomationTask, {
    load: async ({ actor, params }) => {
      const automation = await load({ actor, params });
      const subTask = await findSubTask(database, actor.tenantId, params.automationId, params.key);
      if (!subTask) throw new Problem('not_found', 'The automation has no sub-task with this key');
      return automation;
    },
    handle: async ({ actor, params, body, loaded: { tenantId, serviceNumberId, automationId: id } }) => {
      const campaign = { tenantId, serviceNumberId, id, status: 'sending' as const };
      return presentAutomationTask(await resolveReported(deps, { actor, campaign, key: params.key, outcome: body }));
    },
  });
}

/** Who entered an automation and why, what became of it, and whom it would have taken. */
export function entryRoutes(serve: ServeActor, deps: BackendDeps): void {
  const { database, now } = deps;
  const load = automationLoader(deps);

  serve(automationEntryOperations.listAutomationEntries, {
    load,
    handle: async ({ loaded, query }) =>
      mapPage(await listEntries(database, loaded, query), (entry) => presentEntry(entry, loaded.timing.length)),
  });

  serve(automationEntryOperations.exportAutomationEntries, {
    load,
    handle: ({ ctx, loaded, query }) =>
      sendCsv(ctx, {
        name: `entries-${loaded.automationId}`,
        pages: allPages((cursor) => listEntries(database, loaded, { ...query, limit: PAGE, cursor })),
        columns: {
          contactId: ({ contactId }) => contactId,
          enteredAt: ({ enteredAt }) => enteredAt.toISOString(),
          status: ({ status }) => status,
          reason: ({ reason }) => reason,
          event: ({ cause }) => cause.event,
          causeAt: ({ causedAt }) => causedAt.toISOString(),
          causeId: ({ causeKey }) => causeKey,
          stepsSent: ({ steps }) => steps.filter(({ status }) => status === 'sent').length,
        },
      }),
  });

  serve(automationEntryOperations.getAutomationResults, {
    load,
    handle: async ({ loaded }) => ({ ...(await readAutomationResults(database, loaded)), counts: loaded.counts }),
  });

  serve(automationEntryOperations.dryRunAutomation, {
    load,
    handle: ({ loaded, body: { lastDays } }) => rehearseAutomation(database, loaded, { lastDays, now: now() }),
  });

  taskRoutes(serve, deps);
}

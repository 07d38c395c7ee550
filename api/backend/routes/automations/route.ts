import { automationOperations } from '#domain/api/automations.ts';
import { mapPage } from '#domain/cursor.ts';
import { createAutomation } from '#commands/outreach/automations/create-automation.ts';
import { decideAutomation } from '#commands/outreach/automations/decide-automation.ts';
import { deleteAutomation } from '#commands/outreach/automations/delete-automation.ts';
import { moveAutomation } from '#commands/outreach/automations/move-automation.ts';
import { updateAutomation } from '#commands/outreach/automations/update-automation.ts';
import { type AutomationRecord, listAutomations } from '#db/outreach/automations/automations.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { ifMatch } from '#api/backend/if-match.ts';
import { drive } from '../sends/commands.ts';
import { automationLoader } from './automation.ts';
import { entryRoutes } from './entries.ts';
import { presentAutomation } from './present.ts';

/** Lets an automation that begins or goes on look at its rows at once. */
async function wakeDriver(deps: BackendDeps, automation: AutomationRecord): Promise<void> {
  const { tenantId, serviceNumberId, automationId } = automation;
  await drive(deps, automationId, () => deps.launcher.automations({ tenantId, serviceNumberId }, { wake: true }));
}

/** What people do with one, each call in one transaction; the platform hears of a new name or end, or that it has ended. */
function stateRoutes(serve: ServeActor, deps: BackendDeps): void {
  const { database, now, appId, automationsLookMs: lookMs, launcher } = deps;
  const load = automationLoader(deps);

  async function respond(automation: AutomationRecord) {
    const { tenantId, automationId: campaignId, status } = automation;
    if (status === 'ended')
      await drive(deps, campaignId, () => launcher.closing({ tenantId, campaignId }, { wake: true }));
    if (status === 'active') await wakeDriver(deps, automation);
    return presentAutomation(automation);
  }

  serve(automationOperations.updateAutomation, {
    load,
    current: ({ loaded }) => presentAutomation(loaded),
    handle: async ({ actor, params, headers, body: patch }) => {
      const change = { patch, now: now(), appId, checkRevision: ifMatch(headers['if-match']) };
      const automation = await updateAutomation(database, authorOf(actor), params.automationId, change);
      const { tenantId, automationId: campaignId, status } = automation;
      if (status === 'active' || status === 'paused')
        await drive(deps, campaignId, () => launcher.sourceUpdates({ tenantId, campaignId }, { wake: true }));
      return presentAutomation(automation);
    },
  });

  const moves = {
    activate: 'activateAutomation',
    pause: 'pauseAutomation',
    resume: 'resumeAutomation',
    end: 'endAutomation',
  } as const;
  for (const action of ['activate', 'pause', 'resume', 'end'] as const)
    serve(automationOperations[moves[action]], {
      load,
      statusOf: ({ status }) => (action === 'activate' && status === 'draft' ? 202 : 200),
      handle: async ({ actor, params, headers }) => {
        const move = { action, now: now(), appId, lookMs, checkRevision: ifMatch(headers['if-match']) };
        return await respond(await moveAutomation(database, authorOf(actor), params.automationId, move));
      },
    });
}

function approvalRoutes(serve: ServeActor, deps: BackendDeps): void {
  const { database, now, appId, automationsLookMs: lookMs } = deps;
  const load = automationLoader(deps);

  serve(automationOperations.approveAutomation, {
    load,
    handle: async ({ actor, params, body }) => {
      const answer = { ...body, outcome: 'approved', appId, lookMs, now: now() } as const;
      const automation = await decideAutomation(database, authorOf(actor), params.automationId, answer);
      if (automation.status === 'active') await wakeDriver(deps, automation);
      return presentAutomation(automation);
    },
  });

  serve(automationOperations.rejectAutomation, {
    load,
    handle: async ({ actor, params, body }) => {
      const answer = { ...body, outcome: 'rejected', now: now() } as const;
      return presentAutomation(await decideAutomation(database, authorOf(actor), params.automationId, answer));
    },
  });

  serve(automationOperations.withdrawAutomation, {
    load,
    handle: async ({ actor, params, body }) => {
      const answer = { ...body, outcome: 'withdrawn', now: now() } as const;
      return presentAutomation(await decideAutomation(database, authorOf(actor), params.automationId, answer));
    },
  });
}

/** Campaigns that begin by themselves. */
export function automationRoutes(serve: ServeActor, deps: BackendDeps): void {
  const { database, now, appId, automationsPerTenant } = deps;
  const load = automationLoader(deps);

  serve(automationOperations.listAutomations, {
    handle: async ({ actor, query }) =>
      mapPage(await listAutomations(database, actor.tenantId, query), presentAutomation),
  });

  serve(automationOperations.createAutomation, {
    handle: async ({ actor, body }) => {
      const given = { now: now(), appId, automationsPerTenant };
      return presentAutomation(await createAutomation(database, authorOf(actor), body, given));
    },
  });

  serve(automationOperations.getAutomation, { load, handle: async ({ loaded }) => presentAutomation(loaded) });

  serve(automationOperations.deleteAutomation, {
    load,
    handle: async ({ actor, params, headers }) => {
      await deleteAutomation(database, authorOf(actor), params.automationId, ifMatch(headers['if-match']));
      return undefined;
    },
  });

  stateRoutes(serve, deps);
  approvalRoutes(serve, deps);
  entryRoutes(serve, deps);
}

import { stepOperations } from '#domain/api/campaign-steps.ts';
import { cancelSteps } from '#commands/outreach/steps/cancel-steps.ts';
import { resumeSteps } from '#commands/outreach/steps/resume-steps.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { type CampaignLoader, refOf } from '../campaigns/campaign.ts';
import { drive } from '../sends/commands.ts';
import { presentSteps } from './present.ts';

/** What follows a campaign. */
export function stepRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { database, launcher, now } = deps;

  serve(stepOperations.listSteps, { load, handle: ({ loaded }) => presentSteps(database, loaded, now()) });

  serve(stepOperations.cancelSteps, {
    load,
    handle: async ({ actor, loaded, body: { from } }) => {
      await cancelSteps(database, authorOf(actor), loaded.id, { from, now: now() });
      await drive(deps, loaded.id, () => launcher.steps(refOf(loaded), { wake: true }));
      return presentSteps(database, loaded, now());
    },
  });

  serve(stepOperations.resumeSteps, {
    load,
    handle: async ({ actor, loaded }) => {
      await resumeSteps(database, authorOf(actor), loaded.id, now());
      await drive(deps, loaded.id, () => launcher.steps(refOf(loaded), { wake: true }));
      return presentSteps(database, loaded, now());
    },
  });
}

import type { PossibleActions } from '#domain/api/campaign-snapshots.ts';
import { refusalOf, type SendAction, stageOf } from '#domain/sends/actions.ts';
import type { Database } from '#db/database.ts';
import { readSendFacts } from '../sends/facts.ts';
import type { CampaignRecord } from './campaigns.ts';

/** What can be done with a campaign now, by the conditions that the actions themselves ask. */
export async function readPossibleActions(
  database: Database,
  campaign: CampaignRecord,
  now: Date,
): Promise<PossibleActions> {
  const facts = await readSendFacts(database, campaign, now);
  const { preparing, pending, cancellable, nothingSent } = facts.contacts;
  const counted = (action: SendAction, count: number) => (refusalOf(action, facts) ? null : count);
  return {
    edit: stageOf(facts) === 'scheduled' ? counted('content', preparing + cancellable) : null,
    pause: counted('pause', preparing + pending),
    resume: counted('resume', preparing + pending),
    cancel: counted('cancel', preparing + cancellable),
    close: counted('close', preparing + cancellable),
    retry: counted('retry', nothingSent),
  };
}

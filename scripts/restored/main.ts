import { parseArgs } from 'node:util';
import { connect } from '#db/connection.ts';
import type { Database } from '#db/database.ts';
import { doubtUnfinishedSends, type RestoredSend } from '#commands/outreach/sends/ledger/doubt-unfinished-sends.ts';
import { lastKnown, servicesConnected } from '#db/outreach/sends/ledger/restored.ts';
import { pauseDueRepeats, type RestoredRepeat } from '#commands/outreach/repeats/pause-due-repeats.ts';
import { pauseRestoredAutomations } from '#commands/outreach/automations/pause-restored.ts';
import type { RestoredAutomation } from '#db/outreach/automations/restored.ts';
import { pauseDueSteps } from '#commands/outreach/steps/pause-due-steps.ts';
import type { RestoredStep } from '#db/outreach/steps/restored.ts';
import { parseSettings } from '#domain/settings/settings.ts';
import { addressedDatabases, operatingUser, type TakenOver, takenOverLine, takeOver } from '../adopt/take-over.ts';

function lineOf({ tenantId, campaignId, name, tasks, contacts, paused }: RestoredSend): string {
  const parts = [
    ...(tasks > 0 ? [`${tasks} sub-tasks with ${contacts} contacts are unknown`] : []),
    ...(paused ? ['paused'] : []),
  ];
  return `  ${tenantId}: ${campaignId} (${name}): ${parts.join(', ') || 'nothing left'}`;
}

const repeatLine = ({ tenantId, repeatId, name, times }: RestoredRepeat): string =>
  `  ${tenantId}: ${repeatId} (${name}): paused, may have run at ${times.map((at) => at.toISOString()).join(', ')}`;

const stepLine = ({ tenantId, campaignId, name, position }: RestoredStep): string =>
  `  ${tenantId}: ${campaignId} (${name}): step ${position} paused, may have been sent`;

const automationLine = ({ tenantId, automationId, name, due }: RestoredAutomation): string =>
  `  ${tenantId}: ${automationId} (${name}): automation paused, ${due} messages were due and may have been sent`;

interface Restored {
  /** What happened later is lost. */
  since: Date | null;
  sends: RestoredSend[];
  repeats: RestoredRepeat[];
  steps: RestoredStep[];
  automations: RestoredAutomation[];
  /** What was started elsewhere before. */
  takenOver: TakenOver[];
}

/** Changes what became doubtful, so that nothing of it is sent again unseen; only then may this place send. */
async function settle(database: Database, since: Date | null, a1Idempotent: boolean): Promise<Restored> {
  const running = await servicesConnected(database);
  if (running.length > 0) throw new Error(`End the services first: ${running.join(', ')} use this database`);
  const now = new Date();
  // Before their sends are doubted, which pauses them as well.
  const automations = await pauseRestoredAutomations(database, now);
  const sends = a1Idempotent ? [] : await doubtUnfinishedSends(database, now);
  const repeats = await pauseDueRepeats(database, now);
  const steps = await pauseDueSteps(database, now);
  const places = new Set(addressedDatabases()).add('DATABASE_URL_BACKEND');
  const takenOver = await takeOver([...places], { actor: 'service:restored', by: operatingUser() });
  return { since: since ?? (await lastKnown(database)), sends, repeats, steps, automations, takenOver };
}

/** Lists for staff what was changed. */
function report({ since, sends, repeats, steps, automations, takenOver }: Restored, a1Idempotent: boolean): void {
  console.log(`The backup knows of what came until ${since?.toISOString() ?? 'no time'}; later events are lost.`);
  if (a1Idempotent)
    console.log('PLATFORM_A1_IDEMPOTENT: what was not finished is submitted again, with the same keys.');
  else console.log(sends.length === 0 ? 'No send was under way.' : 'To be compared with the platform:');
  for (const send of sends) console.log(lineOf(send));
  const paused = repeats.length + steps.length + automations.length;
  console.log(paused === 0 ? 'No repeat, step or automation was due since.' : 'To be resumed by a person:');
  for (const repeat of repeats) console.log(repeatLine(repeat));
  for (const step of steps) console.log(stepLine(step));
  for (const automation of automations) console.log(automationLine(automation));
  for (const one of takenOver) console.log(takenOverLine(one));
}

function timeOf(since: string | undefined): Date | null {
  if (since === undefined) return null;
  const time = new Date(since);
  if (Number.isNaN(time.getTime())) throw new Error(`--since must be a time, for example ${new Date().toISOString()}`);
  return time;
}

/**
 * `npm run restored`: after PostgreSQL was restored from a backup, before the services start. `--since <time>` says what the backup
 * knows of, by default its newest event; `--json` prints JSON. Can be repeated.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { since: { type: 'string' }, json: { type: 'boolean', default: false } } });
  const since = timeOf(values.since);
  const settings = parseSettings(process.env, ['DATABASE_URL_BACKEND']);
  const url = settings.DATABASE_URL_BACKEND;
  const database = connect({ url, schema: 'outreach', applicationName: 'restored', pool: { max: 1 } });
  try {
    const restored = await settle(database as Database, since, settings.PLATFORM_A1_IDEMPOTENT);
    if (values.json) console.log(JSON.stringify(restored, null, 2));
    else report(restored, settings.PLATFORM_A1_IDEMPOTENT);
  } finally {
    await database.destroy();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});

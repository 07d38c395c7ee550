import { connect } from '../../db/connection.ts';
import type { Database } from '../../db/database.ts';
import {
  doubtUnfinishedSends,
  lastKnown,
  type RestoredSend,
  servicesConnected,
} from '../../db/outreach/sends/ledger/restored.ts';
import { parseSettings } from '../../domain/settings/settings.ts';

function lineOf({ tenantId, campaignId, name, tasks, contacts, paused }: RestoredSend): string {
  const parts = [
    ...(tasks > 0 ? [`${tasks} sub-tasks with ${contacts} contacts are unknown`] : []),
    ...(paused ? ['paused'] : []),
  ];
  return `  ${tenantId}: ${campaignId} (${name}): ${parts.join(', ') || 'nothing left'}`;
}

/** Lists for staff what became doubtful, and changes it so that nothing of it is sent again unseen. */
async function report(database: Database, a1Idempotent: boolean): Promise<void> {
  const running = await servicesConnected(database);
  if (running.length > 0) throw new Error(`End the services first: ${running.join(', ')} use this database`);
  const known = await lastKnown(database);
  console.log(`The last event of the backup came at ${known?.toISOString() ?? 'no time'}; later ones are lost.`);
  if (a1Idempotent) {
    console.log('PLATFORM_A1_IDEMPOTENT: what was not finished is submitted again, with the same keys.');
    return;
  }
  const sends = await doubtUnfinishedSends(database, new Date());
  console.log(sends.length === 0 ? 'No send was under way.' : 'To be compared with the platform:');
  for (const send of sends) console.log(lineOf(send));
}

/** `npm run restored`: once after PostgreSQL was restored from a backup, before the services start. */
async function main(): Promise<void> {
  const settings = parseSettings(process.env, ['DATABASE_URL_BACKEND']);
  const url = settings.DATABASE_URL_BACKEND;
  const database = connect({ url, schema: 'outreach', applicationName: 'restored', pool: { max: 1 } });
  try {
    await report(database as Database, settings.PLATFORM_A1_IDEMPOTENT);
  } finally {
    await database.destroy();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});

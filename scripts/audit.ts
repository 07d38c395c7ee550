import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { sealedTables } from '../db/audit-chain/tables.ts';
import { type Verified, verifyAudit } from '../db/audit-chain/verify.ts';
import { connect } from '../db/connection.ts';
import { parseSettings } from '../domain/settings/settings.ts';

const endsSchema = z.record(
  z.enum(['outreach', 'orders']),
  z.array(z.object({ tenantId: z.string(), position: z.number().int(), hash: z.string() })),
);
type Ends = z.infer<typeof endsSchema>;

/** @throws Error if the file is not there: a chain that was cut off would pass without it. */
function notedIn(file: string | undefined, begin: boolean): Ends {
  if (file === undefined || (begin && !existsSync(file))) return { outreach: [], orders: [] };
  if (!existsSync(file)) throw new Error(`${file} is not there; --begin begins it`);
  return endsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function lineOf({ tenantId, seals, rewritten, forgotten, end, finding }: Verified): string {
  const parts = [`${seals} sealed`];
  if (rewritten > 0) parts.push(`${rewritten} changed by an erasure`);
  if (forgotten)
    parts.push(
      `before ${forgotten.before.toISOString()} forgotten on ${forgotten.at.toISOString()} (${forgotten.because})`,
    );
  const entry = finding?.entryId ? ` ${finding.entryId}` : '';
  const at = finding?.position == null ? '' : ` at position ${finding.position}`;
  const result = finding ? `DOES NOT FIT: ${finding.fault}${entry}${at}` : `fits; ends at ${end.position} ${end.hash}`;
  return `  ${tenantId}: ${parts.join(', ')}; ${result}`;
}

/** `npm run audit -- --verify`: whether somebody went around the services to change what they recorded. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { verify: { type: 'boolean' }, ends: { type: 'string' }, begin: { type: 'boolean' } },
  });
  if (!values.verify) throw new Error('--verify: is what there is to do');
  const settings = parseSettings(process.env, ['DATABASE_URL_BACKEND', 'DATABASE_URL_ORDERS']);
  const urls = { outreach: settings.DATABASE_URL_BACKEND, orders: settings.DATABASE_URL_ORDERS };
  const noted = notedIn(values.ends, values.begin === true);
  const ends: Ends = { outreach: [], orders: [] };
  let fits = true;
  for (const audited of sealedTables) {
    const { schema } = audited;
    const database = connect({ url: urls[schema], schema, applicationName: 'audit', pool: { max: 1 } });
    try {
      const options = { auditDays: settings.RETENTION_AUDIT_DAYS, noted: noted[schema] };
      const verified = await verifyAudit(database, audited, options);
      console.log([`${schema}:`, ...verified.map(lineOf)].join('\n'));
      ends[schema] = verified.map(({ end }) => end);
      fits &&= verified.every(({ finding }) => finding === null);
    } finally {
      await database.destroy();
    }
  }
  if (fits && values.ends !== undefined) writeFileSync(values.ends, `${JSON.stringify(ends, null, 2)}\n`);
  if (!fits) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});

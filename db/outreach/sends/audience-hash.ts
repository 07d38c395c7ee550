import { createHash } from 'node:crypto';
import { type Database, rows } from '#db/database.ts';

/** SQL: SHA-256 of contact ids, one per line, in order. */
const digestOf = (lines: string): string => `encode(sha256(convert_to(${lines}, 'UTF8')), 'hex')`;

/**
 * The hash of an audience is a chain over its sub-tasks: each link is the SHA-256 of the one before and of the next
 * sub-task's digest, so that it is never computed over more than one sub-task. Empty for no contacts.
 */
function extend(hash: string, digests: readonly { digest: string }[]): string {
  return digests.reduce((link, { digest }) => createHash('sha256').update(link).update(digest).digest('hex'), hash);
}

/** Extends the hash of a send by the sub-tasks with these numbers. */
export async function extendByChunks(
  database: Database,
  hash: string,
  chunks: { dispatchId: string; chunks: number[] },
): Promise<string> {
  const digests = await rows<{ digest: string }>(
    database,
    `select ${digestOf(`array_to_string(contact_ids, E'\\n')`)} as digest
     from dispatch_chunk where dispatch_id = :dispatchId and chunk = any(:chunks) order by chunk`,
    { ...chunks },
  );
  return extend(hash, digests);
}

/** The hash that a send to the contacts of this dry run would have. */
export async function hashOfDryRun(database: Database, dryRunId: string): Promise<string> {
  const digests = await rows<{ digest: string }>(
    database,
    `select ${digestOf(`array_to_string(contact_ids, E'\\n')`)} as digest
     from dry_run_part where dry_run_id = :dryRunId and class = 'reachable' order by part`,
    { dryRunId },
  );
  return extend('', digests);
}

import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { forgetInAnswers } from '#db/outreach/erasure/answers.ts';
import { renameInAudit } from '#db/outreach/erasure/audit-entries.ts';
import { type Erasure, finishErasure, markErased } from '#db/outreach/erasure/erasures.ts';
import { eraseInAutomations } from '#db/outreach/erasure/automations.ts';
import { forgetEvents } from '#db/outreach/erasure/events.ts';
import { renameInOutgoing } from '#db/outreach/erasure/outgoing.ts';
import { deleteFromCampaigns } from '#db/outreach/erasure/profile.ts';
import { renameInClicks, renameInRevenue, renameInSends } from '#db/outreach/erasure/sends.ts';
import { deleteMemberships, deleteProfiles, deleteTags, deleteTestContact } from './profile.ts';
import { waitForEarlierTransactions } from './wait-for-earlier-transactions.ts';

/**
 * Carries out an erasure that was begun, in transactions of their own. Each can be repeated, so that it can be continued
 * after any of them, by several processes at once, too.
 *
 * Whoever read the contact before it was erased may still be storing what follows from it: events first, then sends and
 * tags. So what is read comes first, then a wait for such transactions, then what they may have stored.
 */
export async function erase(
  database: Database,
  encryption: Encryption,
  erasure: Erasure,
  now: () => Date,
): Promise<void> {
  await waitForEarlierTransactions(database);
  await deleteProfiles(database, erasure);
  await deleteMemberships(database, erasure);
  await deleteFromCampaigns(database, erasure, now());
  await waitForEarlierTransactions(database);
  // A list that was being filled may have got the contact meanwhile.
  await deleteMemberships(database, erasure);
  await deleteTestContact(database, erasure);
  await deleteTags(database, erasure);
  await renameInClicks(database, erasure);
  await renameInRevenue(database, erasure);
  await eraseInAutomations(database, erasure, now());
  await renameInSends(database, erasure);
  await renameInOutgoing(database, erasure);
  await forgetInAnswers(database, encryption, erasure);
  const erasedAt = now();
  await markErased(database, erasure, erasedAt);
  await renameInAudit(database, erasure);
  await forgetEvents(database, erasure, erasedAt);
  await finishErasure(database, erasure, now());
}

import type { Mutant } from '../mutant.ts';

const ledger = 'db/outreach/sends/ledger/ledger.ts';
const conditions = 'db/outreach/sends/ledger/conditions.ts';
const tests = ['test/sends/model/model.test.ts'];

/**
 * What decides about sending, without each of its conditions once (`domain/sends/claim.ts` has the same), for the model of
 * sends to find. In 150 campaigns it did not find those of an approval, a cancellation, a change, an uninstallation and a pace that
 * comes meanwhile: what they keep from being claimed is hardly ever there.
 */
export const forModel: readonly Mutant[] = [
  {
    file: ledger,
    from: `order by t.chunk limit 1 for update of t skip locked)
       and status = 'pending'`,
    to: `order by t.chunk limit 1)`,
    tests,
    why: 'two calls submit one sub-task',
  },
  {
    file: ledger,
    from: `and t.status = 'pending' and coalesce(t.next_attempt_at, :now) <= :now and not \${awaitsChoice('t')}
         and c.first_claimed_at is not null and \${maySend('c')} and \${integrationActive('t')}
         and (:inTurn or c.pace is null)
       order by t.chunk limit 1 for update of t skip locked)
       and status = 'pending'`,
    to: `and t.status in ('pending', 'unknown') and coalesce(t.next_attempt_at, :now) <= :now and not \${awaitsChoice('t')}
         and c.first_claimed_at is not null and \${maySend('c')} and \${integrationActive('t')}
         and (:inTurn or c.pace is null)
       order by t.chunk limit 1 for update of t skip locked)`,
    tests,
    why: 'what may have been sent is sent again',
  },
  {
    file: ledger,
    from: `and t.status = 'pending' and coalesce(t.next_attempt_at, :now) <= :now and not`,
    to: `and t.status = 'pending' and not`,
    tests,
    why: 'a sub-task is submitted again before it is due',
  },
  {
    file: ledger,
    from: `<= :now and not \${awaitsChoice('t')}
         and c.first_claimed_at`,
    to: `<= :now
         and c.first_claimed_at`,
    tests,
    why: 'the rest of a test is sent to before a variant is chosen',
  },
  {
    file: ledger,
    from: `and c.first_claimed_at is not null and \${maySend('c')} and \${integrationActive('t')}
         and`,
    to: `and \${maySend('c')} and \${integrationActive('t')}
         and`,
    tests,
    why: 'what nobody has approved is sent',
  },
  {
    file: conditions,
    from: `(\${campaign}.status in ('sending', 'scheduled') and`,
    to: `(\${campaign}.status in ('sending', 'scheduled', 'paused') and`,
    tests,
    why: 'a campaign that is paused goes on sending',
  },
  {
    file: conditions,
    from: `and not \${campaign}.cancel_requested and not`,
    to: `and not`,
    tests,
    why: 'a campaign that is cancelled goes on sending',
  },
  {
    file: conditions,
    from: `.cancel_requested and not \${beingEdited(campaign)})`,
    to: `.cancel_requested)`,
    tests,
    why: 'the old content is submitted while a campaign is changed',
  },
  {
    file: ledger,
    from: `and \${maySend('c')} and \${integrationActive('t')}
         and (:inTurn`,
    to: `and \${maySend('c')}
         and (:inTurn`,
    tests,
    why: 'something is claimed for a tenant that has uninstalled the application, or by a copy of the database',
  },
  {
    file: ledger,
    from: `
         and (:inTurn or c.pace is null)
       order`,
    to: `
         and (:inTurn or true)
       order`,
    tests,
    why: 'a pace that comes while sub-tasks are submitted is ignored',
  },
];

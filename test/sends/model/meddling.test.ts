import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import type { World } from './state.ts';
import { runWorld } from './world.ts';

/** A platform that accepts all of a single small send at once. */
const QUIET_SEED = 1;

describe('A campaign that is meddled with', () => {
  const database = useDatabase('outreach');

  /** What the world says once somebody has changed its sub-tasks like this. */
  async function complaint(assignments: string, when: string): Promise<string> {
    const meddle = async ({ clock, send, flows }: World): Promise<void> => {
      await clock.sleep(3000);
      const { campaignId } = send;
      const changed = await rows(
        database,
        `update broadcast_task set ${assignments} where campaign_id = :campaignId and ${when} returning 1`,
        { campaignId },
      );
      expect(changed).not.to.deep.equal([]);
      await flows.launcher.dispatch(send, { wake: true });
    };
    const error: unknown = await runWorld(database, { seed: QUIET_SEED, limits: { steps: 0 }, meddle }).then(
      () => null,
      (reason: unknown) => reason,
    );
    return error instanceof Error ? error.message : 'nothing';
  }

  it('is found to have sent to contacts twice if a sub-task is submitted again', async () => {
    const again = `status = 'pending', submitting_by = null, next_attempt_at = null, task_id = null, next_poll_at = null`;
    expect(await complaint(again, `status = 'sending'`)).to.include('was sent to 2 times');
  });

  it('is found to have forgotten contacts if their sub-task counts no longer', async () => {
    expect(await complaint('superseded_by = dispatch_id', 'true')).to.match(/contacts of all statuses|was forgotten/);
  });
});

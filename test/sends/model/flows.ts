import { MockActivityEnvironment } from '@temporalio/testing';
import type { CampaignRef, Launched, Launcher, OutreachDeps, Send, Started } from '#activities/outreach/deps.ts';
import type { createOutreachActivities, OutreachActivities } from '#activities/outreach/index.ts';
import type { RangeResult } from '#activities/outreach/sends/dispatch.ts';
import type { PollResult } from '#activities/outreach/sends/poll.ts';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';
import { unlessAway } from './away.ts';
import type { Clock } from './clock.ts';

/** How long it takes until a killed process is missed, and its activity begun again. */
const MISSED_AFTER_MS = 10_000;
const PAGE_MS = 1500;
const RETRIED_AFTER_MS = 1000;

/** How long a call waits that the platform has not answered. */
function waitOf(error: unknown): number {
  const { type, nextRetryDelay } = error as { type?: string; nextRetryDelay?: number };
  if (type !== 'PlatformUnavailable') throw error;
  return Number(nextRetryDelay ?? RETRIED_AFTER_MS);
}

/** A workflow that runs: it may be woken from its wait. */
interface Run {
  awake: boolean;
  wake: () => void;
}

export interface FlowDeps {
  clock: Clock;
  database: OutreachDeps['database'];
  activities: () => ReturnType<typeof createOutreachActivities>;
  inbox: () => Promise<void>;
}

/**
 * What the workflows of a campaign do, without Temporal: they call the activities one after another, wait as those say,
 * and begin one again whose process was killed. Also the launcher that starts them.
 */
export function createFlows({ clock, database, activities, inbox }: FlowDeps) {
  const runs = new Map<string, Run>();
  const environments = new Set<MockActivityEnvironment>();
  let attempts = 0;
  let killed: (() => void)[] = [];

  /** Runs an activity as a worker does; again if its process is killed in the middle, or the database is away. */
  async function activity<Result>(work: (call: OutreachActivities) => Promise<Result>): Promise<Result> {
    for (let heartbeatDetails: unknown; ;) {
      attempts += 1;
      const environment = new MockActivityEnvironment({
        activityId: String(attempts),
        attempt: attempts,
        heartbeatDetails,
      });
      environment.on('heartbeat', (details: unknown) => (heartbeatDetails = details));
      environments.add(environment);
      const death = new Promise<'died'>((resolve) => killed.push(() => resolve('died')));
      // What fails in the environment is logged.
      const running = environment
        .run(() => work(activities()).catch(unlessAway))
        .finally(() => environments.delete(environment));
      running.catch(() => undefined);
      const result = await Promise.race([running, death]);
      if (result !== 'died' && result !== 'away') return result as Result;
      // What a killed process had to say may have been on its way.
      if (result === 'died') heartbeatDetails = undefined;
      await clock.sleep(result === 'died' ? MISSED_AFTER_MS : RETRIED_AFTER_MS);
    }
  }

  /** Runs an activity that calls the platform, again and again until the platform has answered. */
  async function persisting(work: (call: OutreachActivities) => Promise<unknown>): Promise<void> {
    for (;;) {
      const wait = await activity((call) => work(call).then(() => null, waitOf));
      if (wait === null) return;
      await clock.sleep(wait);
    }
  }

  /** Waits, or until the workflow is woken. */
  const waits = (run: Run, ms: number): Promise<unknown> => {
    if (run.awake) return Promise.resolve();
    const over = new AbortController();
    const woken = new Promise<void>((resolve) => (run.wake = () => resolve(over.abort())));
    return Promise.race([clock.sleep(ms, over.signal).catch(() => undefined), woken]);
  };

  function start(id: string, wake: boolean, flow: (run: Run) => Promise<void>): Promise<Launched> {
    const running = runs.get(id);
    if (running) {
      if (wake) {
        running.awake = true;
        running.wake();
      }
      return Promise.resolve('running');
    }
    const run: Run = { awake: false, wake: () => undefined };
    runs.set(id, run);
    clock.begin(async () => {
      await flow(run);
      runs.delete(id);
    });
    return Promise.resolve('started');
  }

  async function dispatch(run: Run, send: Send): Promise<void> {
    await activity(({ watchCampaign }) => watchCampaign(send));
    for (;;) {
      run.awake = false;
      const plan = await activity(({ planDispatch }) => planDispatch(send));
      if (plan.freezeAt !== null) {
        await clock.sleep(PAGE_MS);
        await activity(() => freezeNextPage(database, send, clock.now()));
        continue;
      }
      if (plan.needsSource) {
        await persisting(({ prepareEntrySource }) => prepareEntrySource(send));
        continue;
      }
      if (plan.ranges.length === 0) {
        if (run.awake) continue;
        return;
      }
      const results: RangeResult[] = await Promise.all(
        plan.ranges.map((range) => activity(({ submitBroadcasts }) => submitBroadcasts({ ...send, ...range }))),
      );
      const times = results.flatMap(({ waitUntil }) => (waitUntil === null ? [] : [Date.parse(waitUntil)]));
      if (times.length > 0) await waits(run, Math.max(Math.min(...times) - clock.now().getTime(), 100));
    }
  }

  async function poll(run: Run, campaign: CampaignRef): Promise<void> {
    let status: PollResult['status'] = null;
    for (;;) {
      run.awake = false;
      try {
        const known = status;
        const result: PollResult = await activity(({ pollTasks }) => pollTasks({ ...campaign, status: known }));
        status = result.status;
        if (result.done && !run.awake) return;
      } catch (error) {
        const { type, nextRetryDelay } = error as { type?: string; nextRetryDelay?: number };
        if (type !== 'PollAgain') throw error;
        await waits(run, Number(nextRetryDelay));
      }
    }
  }

  async function close(run: Run, { status, ...campaign }: Started<CampaignRef>): Promise<void> {
    do {
      run.awake = false;
      const closed = await activity(({ closeWhenEnded }) => closeWhenEnded(campaign));
      if (closed || status === 'cancelled') await persisting(({ endEntrySources }) => endEntrySources(campaign));
    } while (run.awake);
  }

  async function tell(run: Run, campaign: CampaignRef): Promise<void> {
    do {
      run.awake = false;
      await persisting(({ tellEntrySources }) => tellEntrySources(campaign));
    } while (run.awake);
  }

  /** Looks again whenever a look says. */
  async function looking(run: Run, look: (call: OutreachActivities) => Promise<{ nextLookAt: string | null }>) {
    for (;;) {
      run.awake = false;
      const { nextLookAt } = await activity(look);
      if (nextLookAt !== null) await waits(run, Math.max(Date.parse(nextLookAt) - clock.now().getTime(), 100));
      else if (!run.awake) return;
    }
  }

  const test = (run: Run, campaign: CampaignRef) => looking(run, ({ lookAtVariants }) => lookAtVariants(campaign));
  const follow = (run: Run, campaign: CampaignRef) => looking(run, ({ lookAtSteps }) => lookAtSteps(campaign));

  const launcher: Launcher = {
    dispatch: (send, { wake }) => start(`dispatch:${send.dispatchId}`, wake, (run) => dispatch(run, send)),
    polling: (campaign, { wake }) => start(`poll:${campaign.campaignId}`, wake, (run) => poll(run, campaign)),
    closing: (campaign, { wake }) => start(`close:${campaign.campaignId}`, wake, (run) => close(run, campaign)),
    sourceUpdates: (campaign, { wake }) => start(`sources:${campaign.campaignId}`, wake, (run) => tell(run, campaign)),
    variantTest: (campaign, { wake }) => start(`variants:${campaign.campaignId}`, wake, (run) => test(run, campaign)),
    steps: (campaign, { wake }) => start(`steps:${campaign.campaignId}`, wake, (run) => follow(run, campaign)),
    automations: (number, { wake }) =>
      start(`automations:${number.tenantId}`, wake, (run) =>
        looking(run, ({ lookAtAutomations }) => lookAtAutomations(number)),
      ),
    repeat: () => Promise.resolve('running'),
    repeatSchedule: () => Promise.resolve(),
    end: () => Promise.resolve(),
    inbox,
  };
  return {
    launcher,
    activity,
    /** How many workflows have been started; the sweep may start some that are missing. */
    running: () => runs.size,
    /** The process is killed in the middle of a call: every activity under way is begun again. */
    kill: () => {
      const under = killed;
      killed = [];
      for (const die of under) die();
    },
    close: () => {
      for (const environment of environments) environment.cancel();
    },
  };
}

export type Flows = ReturnType<typeof createFlows>;

import { expect } from 'chai';
import { outcomesOf } from '#test/support/outreach/outcomes.ts';
import type { Progress } from '#domain/api/campaign.ts';
import { perMinute, remaining, withSample, type Sample } from './rate.ts';

const progress = (sent: number, more: Partial<Progress> = {}): Progress => ({
  status: 'sending',
  preparing: { contacts: 0 },
  audienceCount: 1000,
  subTasks: { sending: { tasks: 1, contacts: 1000 } },
  summary: { sent, delivered: 0, failed: 0, read: 0 },
  outcomes: outcomesOf({ sent, notYet: 1000 - sent }),
  startedAt: null,
  finishedAt: null,
  pace: null,
  ...more,
});

function samplesOf(...handled: [number, number][]): Sample[] {
  let samples: Sample[] = [];
  for (const [seconds, count] of handled) samples = withSample(samples, { at: seconds * 1000, handled: count });
  return samples;
}

describe('rate of a send', () => {
  it('is unknown until it has been sampled for a while', () => {
    expect(perMinute([])).to.equal(null);
    expect(perMinute(samplesOf([0, 0], [3, 100]))).to.equal(null);
  });

  it('is taken from the last minute', () => {
    expect(perMinute(samplesOf([0, 0], [30, 250]))).to.equal(500);
    expect(perMinute(samplesOf([0, 0], [100, 0], [130, 250]))).to.equal(500);
  });

  it('starts over when the figure falls', () => {
    expect(samplesOf([0, 500], [10, 0])).to.have.length(1);
  });

  it('gives a remaining time only if one can be known', () => {
    expect(remaining(progress(500), 500)).to.equal(60_000);
    expect(remaining(progress(500), null)).to.equal(null);
    expect(remaining(progress(500), 0)).to.equal(null);
    expect(remaining(progress(500, { status: 'paused' }), 500)).to.equal(null);
    expect(remaining(progress(500, { subTasks: { unknown: { tasks: 1, contacts: 500 } } }), 500)).to.equal(null);
  });

  it('does not wait for contacts that were rejected', () => {
    const partly = progress(500, { outcomes: outcomesOf({ sent: 500, refused: 250, notYet: 250 }) });
    expect(remaining(partly, 500)).to.equal(30_000);
  });
});

import { expect } from 'chai';
import { pollsUntil } from '../polling.ts';
import type { Experience } from './experience.ts';
import { forecastSend } from './forecast.ts';

const from = new Date('2026-03-02T10:00:00Z');
const limits = { callsPerSecond: 50, firstPollMs: 2000 };
const experience: Experience = {
  sends: 3,
  start: { fixed: 200, perContact: 0.001 },
  subTask: { fixed: 3800, perContact: 1 },
  spacingMs: 0,
};
const send = { contacts: 1000, arms: null, testMs: null, pace: null, from, isScheduled: false, needsSource: false };

describe('the forecast of a send', () => {
  it('is what starting, submitting and the platform take', () => {
    expect(forecastSend(send, experience, limits)).to.deep.equal({
      submissions: 1,
      durationSeconds: 5,
      polls: 2,
      temporalActions: 15,
      basedOnSends: 3,
    });
    const large = forecastSend({ ...send, contacts: 1_000_000 }, experience, limits);
    expect(large).to.deep.include({ submissions: 1000, durationSeconds: 25, polls: 2000 });
    expect(large.temporalActions).to.equal(5 + 10 + 7 + 2 * (1 + Math.ceil((950 * 20) / 500)));
  });

  it('counts from the start that is scheduled, and a step for an entry source', () => {
    const scheduled = forecastSend({ ...send, isScheduled: true }, experience, limits);
    expect(scheduled.durationSeconds).to.equal(4.8);
    expect(forecastSend({ ...send, needsSource: true }, experience, limits).temporalActions).to.equal(17);
  });

  it('waits for the limit of calls only beyond the first second of them', () => {
    expect(forecastSend({ ...send, contacts: 50_000 }, experience, limits).durationSeconds).to.equal(5.1);
    expect(forecastSend({ ...send, contacts: 100_000 }, experience, limits).durationSeconds).to.equal(6.1);
  });

  it('lasts as long as a test of variants may, and has a sub-task more for each arm that is not full', () => {
    const arms = [300, 300, 0, 0, 0, 9400];
    const tested = forecastSend({ ...send, contacts: 10_000, arms, testMs: 3_600_000 }, experience, limits);
    expect(tested).to.deep.include({ submissions: 12, durationSeconds: 3605, polls: 24, temporalActions: null });
  });

  it('takes as long as sub-tasks were apart, and as long as its pace', () => {
    const slow = { ...experience, spacingMs: 100 };
    expect(forecastSend({ ...send, contacts: 11_000 }, slow, limits).durationSeconds).to.equal(6);
    const paced = forecastSend({ ...send, contacts: 600, pace: { perMinute: 60 } }, experience, limits);
    expect(paced.submissions).to.equal(10);
    expect(paced.durationSeconds).to.be.closeTo(540 + 0.2 + 3.9, 0.1);
    // Each sub-task is planned, submitted, waited for, polled and looked at once more: not every half second of nine minutes.
    const each = (paced.polls ?? 0) / paced.submissions;
    expect(paced.temporalActions).to.equal(12 + 3 * 10 + (each + 1) * 10 + 1);
  });

  it('says nothing of the platform before it has sent anything, nor of an audience of nobody', () => {
    const unknown = { durationSeconds: null, polls: null, temporalActions: null };
    expect(forecastSend(send, null, limits)).to.deep.equal({ ...unknown, submissions: 1, basedOnSends: 0 });
    expect(forecastSend({ ...send, contacts: 0 }, experience, limits)).to.deep.include({ ...unknown, submissions: 0 });
  });

  it('polls after 2, 6, 14, 30, 62 and 122 seconds, and each minute from then on', () => {
    const ends = [1, 2, 3, 6, 7, 30, 31, 62, 63, 122, 123, 182, 183];
    expect(ends.map((seconds) => pollsUntil(seconds * 1000, 2000))).to.deep.equal([
      1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8,
    ]);
  });
});

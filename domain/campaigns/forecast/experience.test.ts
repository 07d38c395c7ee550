import { expect } from 'chai';
import { type EarlierSend, experienceOf } from './experience.ts';

const CALLS_PER_SECOND = 50;

/** A send that began 200 ms and a microsecond for each contact after its confirmation, to a platform that takes 4 s and 1 ms for each. */
function sendTo(contacts: number, { late = 0, apartMs = 5 } = {}): EarlierSend {
  const subTasks = Math.ceil(contacts / 1000);
  const queued = Math.max(0, subTasks - CALLS_PER_SECOND) * 20;
  const sizes = [...new Set([Math.min(contacts, 1000), contacts % 1000 || 1000])];
  return {
    contacts,
    subTasks,
    start: 200 + contacts / 1000 + late,
    spread: (subTasks - 1) * apartMs + queued,
    sizes: sizes.map((size) => ({ contacts: size, ms: 4000 + size + late })),
  };
}

const sends = [300, 800, 2500, 9000, 14_200, 28_000, 45_000].map((contacts) => sendTo(contacts));

describe('what earlier sends teach', () => {
  it('is how long starting and a sub-task take, by contacts, and how far apart sub-tasks are accepted', () => {
    const learned = experienceOf(sends, CALLS_PER_SECOND);
    expect(learned?.sends).to.equal(7);
    expect(learned?.start.fixed).to.be.closeTo(200, 1e-6);
    expect(learned?.start.perContact).to.be.closeTo(0.001, 1e-9);
    expect(learned?.subTask.fixed).to.be.closeTo(4000, 1e-6);
    expect(learned?.subTask.perContact).to.be.closeTo(1, 1e-9);
    expect(learned?.spacingMs).to.be.closeTo(5, 1e-9);
  });

  it('is not changed by one slow send', () => {
    const slow = sendTo(30_000, { late: 20_000, apartMs: 900 });
    const learned = experienceOf([...sends, slow], CALLS_PER_SECOND);
    expect(learned?.start.fixed).to.be.closeTo(200, 1);
    expect(learned?.subTask.fixed).to.be.closeTo(4000, 1);
    expect(learned?.spacingMs).to.be.closeTo(5, 1e-9);
  });

  it('leaves out what waited for the limit of calls: that follows from the number of sub-tasks', () => {
    const learned = experienceOf([sendTo(200_000), sendTo(900_000)], CALLS_PER_SECOND);
    expect(learned?.spacingMs).to.be.closeTo(5, 1e-9);
  });

  it('is nothing of sends whose times something else set, and nothing at all without sends', () => {
    const paced = sends.map((send) => ({ ...send, start: null, spread: null }));
    expect(experienceOf(paced, CALLS_PER_SECOND)).to.deep.include({ start: { fixed: 0, perContact: 0 }, spacingMs: 0 });
    expect(experienceOf([], CALLS_PER_SECOND)).to.equal(null);
  });
});

import { expect } from 'chai';
import { complaintsAboutCopies } from './copies.ts';
import { complaintsAboutPace } from './features.ts';
import { complaintsAboutHalts, complaintsAboutRetries } from './halts.ts';
import { complaintsAbout, complaintsAboutSources, type Outcome, type Place } from './verdict.ts';

const place = (more: Partial<Place> = {}): Place => ({
  status: 'completed',
  errorCode: null,
  sent: 1,
  stopped: false,
  ...more,
});
const outcome = ({ received = new Map([['c1', 1]]), ...more }: Partial<Outcome> = {}): Outcome => ({
  contactIds: ['c1', 'c2'],
  places: new Map([
    ['c1', [place()]],
    ['c2', [place({ status: 'rejected', errorCode: 'invalid_request', sent: null })]],
  ]),
  received,
  seemsReceived: received,
  excused: new Set(),
  sentTwice: 0,
  status: 'partially_failed',
  uninstalled: false,
  ...more,
});

describe('What is said of a campaign at its end', () => {
  const cases: [string, Partial<Outcome>, string[]][] = [
    ['nothing if each contact has one place, which is true', {}, []],
    [
      'that a contact was sent to twice, and that the campaign does not say so',
      { received: new Map([['c1', 2]]) },
      ['c1 was sent to 2 times', 'the campaign says that 0 were sent to twice; it was 1'],
    ],
    [
      'nothing if an operator was wrong and the campaign says so',
      { received: new Map([['c1', 2]]), excused: new Set(['c1']), sentTwice: 1 },
      [],
    ],
    [
      'nothing if the campaign could not know that one of two tasks sent nothing',
      { seemsReceived: new Map([['c1', 2]]), sentTwice: 1 },
      [],
    ],
    [
      'that the campaign calls somebody sent to twice who visibly was not',
      { sentTwice: 1 },
      ['the campaign says that 1 were sent to twice; it was 0'],
    ],
    ['that a contact was forgotten', { places: new Map([['c1', [place()]]]) }, ['c2 was forgotten']],
    [
      'that a contact counts twice',
      {
        places: new Map([
          ['c1', [place(), place()]],
          ['c2', [place({ status: 'cancelled' })]],
        ]),
      },
      ['c1 counts 2 times'],
    ],
    [
      'that a contact is still waiting',
      {
        places: new Map([
          ['c1', [place()]],
          ['c2', [place({ status: 'pending' })]],
        ]),
      },
      ['c2 is still pending'],
    ],
    [
      'nothing if the tenant was uninstalled before something was sent',
      {
        places: new Map([
          ['c1', [place({ status: 'sending', sent: null })]],
          ['c2', [place({ status: 'pending', sent: null })]],
        ]),
        uninstalled: true,
      },
      [],
    ],
    ['that the campaign has not ended', { status: 'sending' }, ['the campaign is still sending']],
    [
      'that a contact received what counts as rejected',
      {
        received: new Map([
          ['c1', 1],
          ['c2', 1],
        ]),
      },
      ['c2 received it and counts as rejected (invalid_request)'],
    ],
    [
      'that a contact received nothing and counts as completed',
      { received: new Map() },
      ['c1 counts as completed and received nothing'],
    ],
  ];
  for (const [name, given, complaints] of cases)
    it(name, () => expect(complaintsAbout(outcome(given))).to.deep.equal(complaints));

  const source = { sourceId: 's1', name: 'Spring', expiresAt: null, active: true, known: true };
  it('that an entry source outlives its campaign, or says something else', () => {
    const campaign = { status: 'completed' as const, name: 'Spring', endsAt: null };
    expect(complaintsAboutSources(campaign, [source])).to.deep.equal([]);
    expect(complaintsAboutSources({ ...campaign, status: 'cancelled' }, [source])).to.deep.equal([
      's1 is still active: cancelled',
    ]);
    expect(complaintsAboutSources({ ...campaign, name: 'Summer' }, [source])).to.deep.equal([
      's1 is Spring until null, not Summer until null',
    ]);
    expect(complaintsAboutSources({ ...campaign, status: 'closed' }, [{ ...source, known: false }])).to.deep.equal([]);
  });

  const at = (seconds: number, count: number, settings = 0) => ({
    at: Date.UTC(2026, 10, 25, 12, 0, seconds),
    byClock: new Date(Date.UTC(2026, 10, 25, 12, 0, seconds)),
    settings,
    key: 'k',
    contactIds: Array.from({ length: count }, (_, index) => `c${index}`),
    says: 'A',
  });

  it('that a minute has more than the highest pace in it and a sub-task, or quiet hours have anything', () => {
    const slow = [{ since: 0, pace: { perMinute: 10 } }];
    expect(complaintsAboutPace([at(0, 10), at(59, 10)], slow)).to.deep.equal([]);
    expect(complaintsAboutPace([at(0, 10), at(10, 2), at(59, 10)], slow)).to.deep.equal([
      '22 contacts were submitted in the minute before 2026-11-25T12:00:59.000Z, not 20',
    ]);
    expect(complaintsAboutPace([at(0, 10), at(10, 2), at(59, 10, 1)], slow)).to.deep.equal([]);
    const faster = [...slow, { since: at(30, 0).at, pace: { perMinute: 20 } }];
    expect(complaintsAboutPace([at(0, 10), at(10, 2), at(59, 10)], faster)).to.deep.equal([]);
    const late = [
      { since: 0, pace: null },
      { since: at(30, 0).at, pace: { perMinute: 10 } },
    ];
    expect(complaintsAboutPace([at(0, 50), at(40, 10), at(59, 10)], late)).to.deep.equal([]);
    expect(complaintsAboutPace([at(0, 50), at(40, 10), at(41, 1), at(59, 10)], late)).to.deep.equal([
      '21 contacts were submitted in the minute before 2026-11-25T12:00:59.000Z, not 20',
    ]);
    const quiet = [{ since: 0, pace: { quietHours: { from: '11:00', to: '12:30', zone: 'UTC' } } }];
    expect(complaintsAboutPace([at(0, 10)], quiet)).to.deep.equal([
      '10 contacts were submitted in quiet hours, at 2026-11-25T12:00:00.000Z',
    ]);
  });

  it('that a copied database has submitted anything before somebody took it over', () => {
    const copied = [{ from: at(0, 0).at, until: at(30, 0).at, claims: [3, 3] }];
    expect(complaintsAboutCopies([at(0, 1), at(30, 1)], copied)).to.deep.equal([]);
    expect(complaintsAboutCopies([at(10, 1)], copied)).to.deep.equal([
      'c0 were submitted by a database that was started elsewhere',
    ]);
    expect(complaintsAboutCopies([], [{ from: 0, until: 1, claims: [3, 4] }])).to.deep.equal([
      'something was claimed by a database that was started elsewhere',
    ]);
  });

  it('that something was submitted though an operator had stopped it', () => {
    const halts = [{ why: 'pause' as const, from: at(5, 0).at, until: at(30, 0).at }];
    expect(complaintsAboutHalts([at(5, 1), at(30, 1)], halts)).to.deep.equal([]);
    expect(complaintsAboutHalts([at(10, 1)], halts)).to.deep.equal(['c0 were submitted after a pause']);
  });

  it('that what the platform had not taken was submitted again at once', () => {
    const refusals = [{ key: 'k', at: at(0, 0).at, settings: 0 }];
    expect(complaintsAboutRetries([at(0, 1), at(1, 1)], refusals)).to.deep.equal([]);
    expect(complaintsAboutRetries([{ ...at(0, 1), at: at(0, 1).at + 100 }], refusals)).to.have.length(1);
  });
});

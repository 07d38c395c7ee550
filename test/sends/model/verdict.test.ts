import { expect } from 'chai';
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
});

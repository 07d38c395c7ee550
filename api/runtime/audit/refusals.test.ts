import { expect } from 'chai';
import { createLogger } from '../logger.ts';
import { createRefusals } from './refusals.ts';

describe('refusals for an audit log', () => {
  function noting() {
    const noted: { userId: string; operation: string; calls: number }[] = [];
    const refusals = createRefusals({
      logger: createLogger('test', 'silent'),
      note: ({ userId }, { operation }, calls) => noted.push({ userId, operation, calls }),
    });
    const by = (userId: string, operation: string) => refusals.refused({ tenantId: 't', userId }, { operation });
    return { noted, by, refusals };
  }

  it('are an entry at once, and another for those that follow', () => {
    const { noted, by, refusals } = noting();
    for (let call = 0; call < 1000; call += 1) by('eve', 'GET /x');
    expect(noted).to.deep.equal([{ userId: 'eve', operation: 'GET /x', calls: 1 }]);
    refusals.close();
    expect(noted.slice(1)).to.deep.equal([{ userId: 'eve', operation: 'GET /x', calls: 999 }]);
  });

  it('are few entries however much somebody tries, who keeps nobody else out', () => {
    const { noted, by, refusals } = noting();
    for (let call = 0; call < 3000; call += 1) by('eve', `GET /${call}`);
    by('ada', 'GET /x');
    refusals.close();
    expect(noted.filter(({ userId }) => userId === 'ada')).to.have.length(1);
    const eves = noted.filter(({ userId }) => userId === 'eve');
    expect(eves).to.have.length(22);
    expect(eves.slice(-2)).to.deep.equal([
      { userId: 'eve', operation: '*', calls: 1 },
      { userId: 'eve', operation: '*', calls: 2979 },
    ]);
  });
});

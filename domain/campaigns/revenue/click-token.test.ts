import { expect } from 'chai';
import { createClickTokens } from './click-token.ts';
import { sentLink } from '../links/sent-link.ts';
import { CLICK_TOKEN, PENDING_CLICK_TOKEN, withoutClickToken } from './tracked-link.ts';
import { countsUntil } from './window.ts';

const click = {
  campaignId: '0197c1d2-7a10-7c3e-9a54-3f1de2a6b001',
  subTaskKey: 'd5b0f6b2-90c1-4f4c-8a55-6f3c1a7e9b02',
  messageIndex: 4,
  actionIndex: 9,
  countsUntil: new Date('2026-12-01T08:00:00Z'),
};
const before = new Date('2026-12-01T07:59:59Z');

describe('click tokens', () => {
  const tokens = createClickTokens(['first-secret-of-both-services']);
  const token = tokens.issue('harbor-coffee', click);

  it('name campaign, sub-task, button and end in 75 characters, for the tenant they were issued for', () => {
    expect(token).to.match(/^[A-Za-z0-9_-]{75}$/);
    expect(tokens.verify('harbor-coffee', token, before)).to.deep.equal({ click });
    expect(tokens.verify('another', token, before)).to.deep.equal({ fault: 'wrong' });
  });

  it('expire when their window ends', () => {
    expect(tokens.verify('harbor-coffee', token, click.countsUntil)).to.deep.equal({ fault: 'expired' });
  });

  it('are refused whichever bit of them is changed', () => {
    const bytes = Buffer.from(token, 'base64url');
    const faults = new Set<string>();
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const verified = tokens.verify('harbor-coffee', altered.toString('base64url'), before);
      faults.add('fault' in verified ? verified.fault : 'accepted');
    }
    expect([...faults].toSorted()).to.deep.equal(['malformed', 'wrong']);
    for (const other of [null, 5, '', {}, `${token}A`, token.slice(1), `${token.slice(0, -1)}=`])
      expect(tokens.verify('harbor-coffee', other, before)).to.deep.equal({ fault: 'malformed' });
  });

  it('are accepted with the secret before the newest, and not with one that is gone', () => {
    const changed = createClickTokens(['second-secret-of-both', 'first-secret-of-both-services']);
    expect(changed.verify('harbor-coffee', token, before)).to.deep.equal({ click });
    const later = createClickTokens(['second-secret-of-both']);
    expect(later.verify('harbor-coffee', token, before)).to.deep.equal({ fault: 'wrong' });
    expect(later.verify('harbor-coffee', changed.issue('harbor-coffee', click), before)).to.deep.equal({ click });
  });

  it('are the same for a call that is repeated within the hour', () => {
    const at = (time: string) => countsUntil(new Date(time), 7).toISOString();
    expect(at('2026-11-24T07:00:01Z')).to.equal('2026-12-01T08:00:00.000Z');
    expect(at('2026-11-24T07:59:59Z')).to.equal('2026-12-01T08:00:00.000Z');
  });
});

describe('the address of a click', () => {
  it('is the one that was sent, without the token', () => {
    for (const written of [
      'https://shop.example/a?b=1&&c=%20x#top',
      'https://shop.example',
      'https://x.example/?a#b#c',
    ]) {
      const { url } = sentLink({ url: written }, [[CLICK_TOKEN, 'T']]);
      expect(url).to.contain('clickToken=T');
      expect(withoutClickToken(url)).to.equal(written);
    }
  });

  it('is as long in a dry run as when it is sent', () => {
    const token = createClickTokens(['a-secret-of-both-services']).issue('harbor-coffee', click);
    expect(PENDING_CLICK_TOKEN).to.have.length(token.length);
  });
});

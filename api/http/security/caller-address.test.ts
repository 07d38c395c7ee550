import { expect } from 'chai';
import { callerAddress, rangesOf } from './caller-address.ts';

describe('the address of a caller', () => {
  const trusted = rangesOf(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);
  const from = (remoteAddress: string, forwarded?: string | string[]): string =>
    callerAddress({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as never, trusted);

  it('is that of the connection, whatever a stranger says', () => {
    expect(from('203.0.113.5')).to.equal('203.0.113.5');
    expect(from('203.0.113.5', '198.51.100.1')).to.equal('203.0.113.5');
    expect(from('::ffff:203.0.113.5', '198.51.100.1')).to.equal('203.0.113.5');
  });

  it('is the last one that no trusted proxy has', () => {
    expect(from('10.1.2.3', '198.51.100.1')).to.equal('198.51.100.1');
    expect(from('::ffff:10.1.2.3', '198.51.100.1, 192.0.2.7')).to.equal('198.51.100.1');
    expect(from('2001:db8::1', '6.6.6.6, 198.51.100.1,10.9.9.9')).to.equal('198.51.100.1');
    expect(from('10.1.2.3', ['6.6.6.6', '2001:db9::1'])).to.equal('2001:db9::1');
  });

  it('is the proxy’s where it says nothing that is an address', () => {
    expect(from('10.1.2.3')).to.equal('10.1.2.3');
    expect(from('10.1.2.3', '')).to.equal('10.1.2.3');
    expect(from('10.1.2.3', '198.51.100.1, unknown')).to.equal('10.1.2.3');
    expect(from('10.1.2.3', '10.4.5.6')).to.equal('10.4.5.6');
  });
});

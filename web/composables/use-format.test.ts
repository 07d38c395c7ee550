import { expect } from 'chai';
import { offsetOf, relativeTime, span } from './use-format.ts';
import { localeFrom, understood } from './use-preferences.ts';

const now = new Date('2026-11-21T12:00:00Z');
const ago = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now, 'en-GB');

describe('times and numbers', () => {
  it('tells how long ago or ahead', () => {
    expect(ago(2)).to.equal('just now');
    expect(ago(3 * 3600)).to.equal('3 hours ago');
    expect(ago(-2 * 86_400)).to.equal('in 2 days');
    expect(relativeTime(new Date(now.getTime() - 86_400_000), now, 'zh-Hant-TW')).to.equal('昨天');
  });

  it('spells a span by its two largest units', () => {
    expect(span(((3 * 24 + 14) * 60 + 5) * 60_000, 'en-GB')).to.equal('3d 14h');
    expect(span(57_000, 'en-GB')).to.equal('57s');
    expect(span(0, 'en-GB')).to.equal('0s');
  });

  it('names zones', () => {
    expect(offsetOf('Asia/Taipei', now)).to.equal('UTC+8');
  });
});

describe('preferences', () => {
  it('take only what is understood', () => {
    expect(understood({ locale: 'zh-TW', zone: 'Asia/Taipei', theme: 'dark', other: 1 })).to.deep.equal({
      locale: 'zh-Hant',
      zone: 'Asia/Taipei',
      theme: 'dark',
    });
    expect(understood({ zone: 'Mars/Crater', theme: 'pink' })).to.deep.equal({});
    expect(understood('nonsense')).to.deep.equal({});
  });

  it('speak any Chinese in Traditional Chinese, and else English', () => {
    expect(localeFrom(['fr', 'zh-CN'])).to.equal('zh-Hant');
    expect(localeFrom(['de', 'en-US', 'zh'])).to.equal('en');
    expect(localeFrom([])).to.equal('en');
  });
});

import { expect } from 'chai';
import { shortUserAgent } from './user-agent.ts';

describe('the short form of a user agent', () => {
  const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const known: [string, string | null][] = [
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox (Windows)'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/130.0.0.0 Safari/537.36`, 'Chrome (Linux)'],
    [`Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`, 'Edge (Windows)'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari (iPhone)',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
      'Safari (macOS)',
    ],
    [`Mozilla/5.0 (Linux; Android 14) ${webKit} Chrome/130.0.0.0 Mobile Safari/537.36`, 'Chrome (Android)'],
    ['curl/8.5.0', 'curl'],
    ['node', 'node'],
    ['x'.repeat(2000), 'x'.repeat(40)],
    ['<b>', null],
    ['', null],
  ];
  for (const [header, short] of known) {
    it(`is ${short ?? 'missing'} for ${header.slice(0, 60) || 'nothing'}`, () => {
      expect(shortUserAgent(header)).to.equal(short);
    });
  }
});

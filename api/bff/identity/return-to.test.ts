import { expect } from 'chai';
import { HOME, localPath } from './return-to.ts';

const elsewhere = [
  'https://evil.example/',
  '//evil.example',
  String.raw`/\evil.example`,
  'javascript:alert(1)',
  '',
  '/\t/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/./..//evil.example',
  '/%2e//evil.example',
  '/%2E%2e//evil.example',
  '/app/..//evil.example',
  '/app/%2e%2e//evil.example/..',
  String.raw`/.\/evil.example`,
  String.raw`/.\\evil.example`,
  '/.\t//evil.example',
  '/app/../\n/evil.example',
];

describe('where a sign-in leads', () => {
  for (const returnTo of elsewhere)
    it(`is home instead of ${JSON.stringify(returnTo)}`, () => {
      expect(localPath(returnTo)).to.equal(HOME);
    });

  it('is the path requested, as a browser would resolve it', () => {
    for (const [requested, path] of [
      ['/app/campaigns?status=draft#top', '/app/campaigns?status=draft#top'],
      ['/app/../embed/main', '/embed/main'],
      ['/app//twice', '/app//twice'],
      ['/app?next=//evil.example', '/app?next=//evil.example'],
    ])
      expect(localPath(requested)).to.equal(path);
  });

  it('is home instead of a path of over 1,024 characters, which has to fit into a cookie', () => {
    const longest = `/app?q=${'x'.repeat(1017)}`;
    expect(localPath(longest)).to.equal(longest);
    expect(localPath(`${longest}x`)).to.equal(HOME);
  });
});

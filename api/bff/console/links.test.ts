import { expect } from 'chai';
import { type Bundled, linksOf } from './links.ts';

const opening = (path: string, script: string) => ({ path, scripts: [script], styles: [], requests: [] });
const bundled: Bundled = {
  openings: [
    { path: '/app', scripts: ['assets/overview.js'], styles: ['assets/overview.css'], requests: ['/api/v1/me'] },
    opening('/app/campaigns/new', 'assets/editor.js'),
    opening('/app/campaigns/:id', 'assets/campaign.js'),
    opening('/app/:rest(.*)*', 'assets/nothing.js'),
  ],
  texts: { en: 'assets/en.js', 'zh-Hant': 'assets/zh.js' },
};
const addresses = (path: string, ...languages: string[]) =>
  [...linksOf(bundled, path, languages).matchAll(/href="([^"]+)"/g)].map(([, address]) => address);

describe('the links of a page of the console', () => {
  it('are those of the first page that fits the address', () => {
    expect(addresses('/app')).to.deep.equal([
      '/assets/overview.css',
      '/assets/overview.js',
      '/assets/en.js',
      '/api/v1/me',
    ]);
    expect(addresses('/app/')).to.include('/assets/overview.js');
    expect(addresses('/app/campaigns/new')).to.include('/assets/editor.js');
    expect(addresses('/app/campaigns/c-1')).to.include('/assets/campaign.js');
    expect(addresses('/app/campaigns/c-1/else')).to.include('/assets/nothing.js');
    expect(addresses('/embed/main')).to.deep.equal([]);
  });

  it('have the texts of the language that the console will choose', () => {
    expect(addresses('/app', 'zh-TW', 'en'))
      .to.include('/assets/zh.js')
      .and.not.include('/assets/en.js');
    expect(addresses('/app', 'en-GB', 'zh'))
      .to.include('/assets/en.js')
      .and.not.include('/assets/zh.js');
    expect(addresses('/app', 'de', 'zh-CN')).to.include('/assets/zh.js');
    expect(addresses('/app', '*')).to.include('/assets/en.js');
  });

  it('never hold what the address says', () => {
    expect(linksOf(bundled, '/app/campaigns/"><script>', [])).to.not.include('<script>');
  });
});

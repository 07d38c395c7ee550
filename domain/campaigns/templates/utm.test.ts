import { expect } from 'chai';
import * as fc from 'fast-check';
import { withClickToken } from '../revenue/tracked-link.ts';
import { filledIn, tagLinks, withUtm } from './utm.ts';

describe('UTM parameters of links', () => {
  const utm = { source: 'harbor', medium: 'message', campaign: 'Spring & tea' };
  const added = 'utm_source=harbor&utm_medium=message&utm_campaign=Spring%20%26%20tea';

  it('come after the query and before the fragment, and leave every other character', () => {
    for (const [written = '', sent] of [
      ['https://shop.example', `https://shop.example?${added}`],
      ['https://shop.example/a?b=%7E+c', `https://shop.example/a?b=%7E+c&${added}`],
      ['https://shop.example/a#b?c', `https://shop.example/a?${added}#b?c`],
      ['https://shop.example/a?#', `https://shop.example/a?${added}#`],
      ['https://shop.example/a?b&', `https://shop.example/a?b&${added}`],
      ['https://shop.example/a?b=c?d#e#f', `https://shop.example/a?b=c?d&${added}#e#f`],
    ])
      expect(withUtm(written, utm)).to.equal(sent);
  });

  it('do not replace those that a link has, and are not added twice', () => {
    const own = 'https://shop.example/?utm_source=mine';
    expect(withUtm(own, utm)).to.equal(`${own}&utm_medium=message&utm_campaign=Spring%20%26%20tea`);
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const once = withUtm(url, utm);
        expect(withUtm(once, utm)).to.equal(once);
        // A click token comes after them.
        for (const sent of [once, withClickToken(once, 'T')])
          expect(new URL(sent).searchParams.get('utm_campaign'), sent).to.equal('Spring & tea');
        expect(new URL(once).hash).to.equal(new URL(url).hash);
      }),
    );
  });

  it('are left out where the address would be too long, or a value is empty', () => {
    const long = `https://shop.example/?${'x'.repeat(2020)}`;
    expect(withUtm(long, utm)).to.equal(long);
    expect(withUtm('https://shop.example/', { source: '' })).to.equal('https://shop.example/');
  });

  it('are kept without spaces around them, and not where nothing else is written', () => {
    expect(filledIn({ source: ' pier ', medium: '  ', campaign: '' })).to.deep.equal({ source: 'pier' });
  });

  it('say the campaign and the place of each link, in buttons alone', () => {
    const link = { type: 'Url' as const, label: 'See', url: 'https://shop.example/' };
    const [card, text] = tagLinks(
      [
        {
          type: 'buttons',
          title: 'T',
          text: 'https://shop.example/',
          actions: [{ type: 'Postback', label: 'P' }, link],
        },
        { type: 'text', text: 'https://shop.example/' },
      ],
      { campaign: '{campaign}', content: 'm{message}b{button}{other}' },
      'A {message} name',
    );
    if (card?.type !== 'buttons') throw new Error('no card');
    expect(card.actions[1]).to.include({
      url: 'https://shop.example/?utm_campaign=A%20%7Bmessage%7D%20name&utm_content=m1b2%7Bother%7D',
    });
    expect(text).to.include({ text: 'https://shop.example/' });
  });
});

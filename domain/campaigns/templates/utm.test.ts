import { expect } from 'chai';
import { filledIn, tagLinks, utmParameters } from './utm.ts';

describe('UTM parameters of links', () => {
  it('are kept without spaces around them, and not where nothing else is written', () => {
    expect(filledIn({ source: ' pier ', medium: '  ', campaign: '' })).to.deep.equal({ source: 'pier' });
  });

  it('are only those that say something', () => {
    const place = { messageIndex: 0, actionIndex: 0 };
    expect(utmParameters({ source: '', term: 'a & b' }, 'Spring', place)).to.deep.equal([['utm_term', 'a & b']]);
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

import { expect } from 'chai';
import type { Message } from '#domain/api/messages.ts';
import { tagLinks } from '../templates/utm.ts';
import { clickedLinks, normalForm } from './clicked.ts';

const card = (...urls: string[]): Message => ({
  type: 'buttons',
  title: 'T',
  text: 't',
  actions: urls.map((url) => ({ type: 'Url', label: 'L', url })),
});

describe('the normal form of an address', () => {
  it('is that of browsers, without click tokens and empty parts of the query', () => {
    for (const [written = '', normal] of [
      ['HTTPS://Shop.Example', 'https://shop.example/'],
      ['https://shop.example:443/a/../b c?', 'https://shop.example/b%20c'],
      ['https://bücher.example/ü?a=1&&b#ü', 'https://xn--bcher-kva.example/%C3%BC?a=1&b#%C3%BC'],
      ['https://u:p@shop.example/?clickToken=T', 'https://u:p@shop.example/'],
      ['https://shop.example/??a&click%54oken=', 'https://shop.example/??a'],
      ['no address', 'no address'],
    ])
      expect(normalForm(written), written).to.equal(normal);
  });
});

describe('the link that was clicked', () => {
  const messages = [
    card('https://Bücher.example', 'https://shop.example/a?utm_source=own'),
    card('https://Bücher.example'),
  ];
  const sent = tagLinks(messages, { source: 'harbor', content: '{message}' }, 'Spring');
  const places = (url: string) =>
    clickedLinks({ messages, sentMessages: sent }, url).map(({ messageIndex, actionIndex }) => [
      messageIndex,
      actionIndex,
    ]);

  it('is found by the address that was sent, also in its normal form', () => {
    expect(places('https://Bücher.example?utm_source=harbor&utm_content=2')).to.deep.equal([[1, 0]]);
    expect(places('https://xn--bcher-kva.example/?utm_source=harbor&utm_content=1&clickToken=T')).to.deep.equal([
      [0, 0],
    ]);
  });

  it('is found by the address that was written, without parameters of ours', () => {
    expect(places('https://xn--bcher-kva.example/')).to.deep.equal([
      [0, 0],
      [1, 0],
    ]);
    expect(places('https://SHOP.example/a?utm_source=own')).to.deep.equal([[0, 1]]);
    expect(places('https://xn--bcher-kva.example/?utm_content=other+words')).to.deep.equal([
      [0, 0],
      [1, 0],
    ]);
    expect(places('https://shop.example/a?utm_source=another')).to.deep.equal([]);
    expect(places('https://shop.example/a')).to.deep.equal([]);
  });
});

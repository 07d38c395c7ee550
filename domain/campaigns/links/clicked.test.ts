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
  /** The messages of the links that a click on a button can be of. */
  const found = (actionIndex: number, url: string) =>
    clickedLinks({ messages, sentMessages: sent }, { actionIndex, url }).map(({ messageIndex }) => messageIndex);

  it('is found by the address that was sent, also in its normal form', () => {
    expect(found(0, 'https://Bücher.example?utm_source=harbor&utm_content=2')).to.deep.equal([1]);
    expect(found(0, 'https://xn--bcher-kva.example/?utm_source=harbor&utm_content=2&clickToken=T')).to.deep.equal([1]);
    expect(found(1, 'https://Bücher.example?utm_source=harbor&utm_content=2'), 'another button').to.deep.equal([]);
  });

  it('is found by the address that was written, without parameters of ours', () => {
    expect(found(0, 'https://xn--bcher-kva.example/')).to.deep.equal([0, 1]);
    expect(found(1, 'https://SHOP.example/a?utm_source=own')).to.deep.equal([0]);
    expect(found(0, 'https://xn--bcher-kva.example/?utm_content=other+words')).to.deep.equal([0, 1]);
    expect(found(1, 'https://shop.example/a?utm_source=another')).to.deep.equal([]);
    expect(found(1, 'https://shop.example/a')).to.deep.equal([]);
  });
});

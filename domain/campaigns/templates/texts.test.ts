import { expect } from 'chai';
import * as fc from 'fast-check';
import { type TemplateTexts, fillTexts, variablesIn } from './texts.ts';

const texts: TemplateTexts = {
  campaignName: '{{season}} menu',
  note: null,
  messages: [
    {
      type: 'buttons',
      title: '{{ season }} is here',
      text: 'Until {{until}}. {{ not a variable }} {single}',
      image: 'https://pictures.example/{{season}}.png',
      actions: [
        { type: 'Url', label: 'See {{season}}', url: 'https://shop.example/{{season}}?code={{code}}#top' },
        { type: 'Postback', label: 'Yes', data: '{"note":"{{until}}","n":1}' },
        { type: 'Postback', label: 'No', data: { list: ['{{code}}', 2] } },
      ],
    },
    { type: 'text', text: '{{code}}' },
  ],
};

describe('variables of templates', () => {
  it('are found wherever a text may have them, each once', () => {
    expect(variablesIn(texts)).to.deep.equal(['season', 'until', 'code']);
  });

  it('are filled as text, encoded in addresses, and leave data an object', () => {
    const filled = fillTexts(
      texts,
      new Map([
        ['season', 'Spring & tea'],
        ['until', 'a "quoted" day'],
        ['code', 'A/B'],
      ]),
    );
    expect(filled.campaignName).to.equal('Spring & tea menu');
    const [card, text] = filled.messages ?? [];
    if (card?.type !== 'buttons') throw new Error('no card');
    expect(card).to.include({
      title: 'Spring & tea is here',
      text: 'Until a "quoted" day. {{ not a variable }} {single}',
      image: 'https://pictures.example/Spring%20%26%20tea.png',
    });
    expect(card.actions[0]).to.include({
      label: 'See Spring & tea',
      url: 'https://shop.example/Spring%20%26%20tea?code=A%2FB#top',
    });
    const [, yes, no] = card.actions;
    if (yes?.type !== 'Postback' || no?.type !== 'Postback') throw new Error('no buttons');
    expect(JSON.parse(String(yes.data))).to.deep.equal({ note: 'a "quoted" day', n: 1 });
    expect(no.data).to.deep.equal({ list: ['A/B', 2] });
    expect(text).to.deep.equal({ type: 'text', text: 'A/B' });
  });

  it('are not looked for in what was put in, and one without a value stays', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const one = { campaignName: '{{a}}|{{b}}', note: null, messages: [] };
        expect(fillTexts(one, new Map([['a', value]])).campaignName).to.equal(`${value}|{{b}}`);
      }),
    );
    const nested = fillTexts({ campaignName: '{{a}}', note: null, messages: [] }, new Map([['a', '{{a}}']]));
    expect(nested.campaignName).to.equal('{{a}}');
  });
});

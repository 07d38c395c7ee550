import { expect } from 'chai';
import * as fc from 'fast-check';
import { copyBriefSchema } from '../api/ai.ts';
import { messagesSchema } from '../api/messages.ts';
import { copyPrompt, readDrafts } from './copywriting.ts';

const brief = copyBriefSchema.parse({ brief: 'Spring tea' });
const text = (...drafts: object[]) => JSON.stringify({ drafts });
const draft = { title: 'Spring', text: 'Tea is here', buttons: ['Look', 'More'] };

describe('copywriting', () => {
  it('gives the model the brief as data, with count, language, tone and sender', () => {
    const { system, user } = copyPrompt(
      { ...brief, language: 'zh-Hant-TW', tone: 'warm', buttons: 2 },
      'Harbor Coffee',
    );
    expect(system).to.include('exactly 2 button labels');
    expect(user).to.match(/^Write 3 drafts\.\n/);
    expect(JSON.parse(user.slice(user.indexOf('{')))).to.deep.equal({
      brief: 'Spring tea',
      language: 'zh-Hant-TW',
      tone: 'warm',
      sender: 'Harbor Coffee',
    });
  });

  it('reads cards that a campaign accepts as they are, as many and with as many buttons as requested', () => {
    const read = readDrafts(`Sure!\n\`\`\`json\n${text(draft, draft, draft, draft)}\n\`\`\``, brief);
    expect(read?.drafts).to.have.length(3);
    expect(read?.drafts[0]).to.deep.equal({
      type: 'buttons',
      title: 'Spring',
      text: 'Tea is here',
      actions: [{ type: 'Postback', label: 'Look' }],
    });
    expect(messagesSchema.safeParse(read?.drafts).success).to.equal(true);
    const linked = readDrafts(text(draft), { ...brief, buttons: 2, url: 'https://shop.example/tea' });
    expect(linked?.drafts[0]).to.have.deep.property('actions', [
      { type: 'Url', label: 'Look', url: 'https://shop.example/tea' },
      { type: 'Url', label: 'More', url: 'https://shop.example/tea' },
    ]);
  });

  it('leaves out cards that no campaign would accept, and reports if none is left', () => {
    const bad = [
      { ...draft, title: ' ' },
      { ...draft, text: 'x'.repeat(2001) },
      { ...draft, buttons: [] },
    ];
    expect(readDrafts(text(...bad, draft), brief)?.drafts).to.have.length(1);
    for (const nothing of [text(...bad), '', 'no JSON', '{', '{"drafts":"x"}', '[]', 'null'])
      expect(readDrafts(nothing, brief), nothing).to.equal(null);
  });

  it('never throws and returns nothing invalid, whatever a model writes', () => {
    const given = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .array(fc.record({ title: fc.string({ unit: 'binary' }), text: fc.string(), buttons: fc.array(fc.string()) }))
        .map((drafts) => text(...drafts)),
    );
    fc.assert(
      fc.property(given, (response) => {
        const read = readDrafts(response, brief);
        return read === null || messagesSchema.safeParse(read.drafts).success;
      }),
      { numRuns: 500 },
    );
  });
});

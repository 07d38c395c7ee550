import { expect } from 'chai';
import type { Message } from '../api/messages.ts';
import {
  buildMessages,
  findActionUrl,
  findMessageIndex,
  opensConversations,
  parsePostback,
  readClickOrigin,
  invalidPostbacks,
} from './postback.ts';

const card = (...actions: Extract<Message, { type: 'buttons' }>['actions']): Message => ({
  type: 'buttons',
  title: 'Spring',
  text: 'New',
  actions,
});

describe('Postback data', () => {
  it('accepts an object, its text or nothing', () => {
    for (const data of [{ bizEventCode: 'buy', a: 1 }, '{"bizEventCode":"buy","a":1}']) {
      expect(parsePostback(data, 'outreach')).to.deep.equal({
        ok: true,
        postback: { event: 'Broadcast', fields: { bizEventCode: 'buy', a: 1 } },
      });
    }
    expect(parsePostback(undefined, 'outreach')).to.have.property('ok', true);
  });

  for (const data of [
    '{',
    '[]',
    '1',
    'null',
    '',
    { event: 'Later' },
    { event: null },
    { appId: 'other' },
    '{"a":1e400}',
  ]) {
    it(`rejects ${JSON.stringify(data)}`, () => expect(parsePostback(data, 'outreach').ok).to.equal(false));
  }

  it('reports the place of every invalid one', () => {
    const messages = [card({ type: 'Postback', label: 'a' }, { type: 'Postback', label: 'b', data: '{' })];
    expect(invalidPostbacks(messages, 'outreach')).to.deep.equal([
      { path: '/messages/0/actions/1/data', message: 'is not valid JSON', code: 'no_json' },
    ]);
  });

  it('overwrites the operator’s fields with ours, and leaves other fields alone', () => {
    const url = {
      type: 'Url' as const,
      label: 'More',
      url: 'https://x.example/a',
      displayText: 'more',
      isDefault: true,
    };
    const messages = [
      { type: 'text' as const, text: 'Hello' },
      card(
        { type: 'Postback', label: 'Buy', title: 't', data: { campaignId: 'forged', bizEventCode: 'buy', x: [1] } },
        url,
      ),
    ];
    const context = { appId: 'outreach', campaignId: 'c1', subTaskKey: 'k1', sourceId: null };
    const [text, sent] = buildMessages(messages, context);
    expect(text).to.deep.equal(messages[0]);
    if (sent?.type !== 'buttons' || sent.actions[0]?.type !== 'Postback') throw new Error('not a card');
    expect(sent.actions[1]).to.deep.equal(url);
    expect(sent.actions[0].title).to.equal('t');
    expect(JSON.parse(String(sent.actions[0].data))).to.deep.equal({
      appId: 'outreach',
      event: 'Broadcast',
      campaignId: 'c1',
      subTaskKey: 'k1',
      messageIndex: 1,
      bizEventCode: 'buy',
      x: [1],
    });
  });

  it('opens a conversation only if there is a source', () => {
    const messages = [card({ type: 'Postback', label: 'Ask', data: { event: 'InboundReason' } })];
    expect(opensConversations(messages, 'outreach')).to.equal(true);
    const dataWith = (sourceId: string | null) => {
      const [sent] = buildMessages(messages, { appId: 'outreach', campaignId: 'c', subTaskKey: 'k', sourceId });
      return sent?.type === 'buttons' && sent.actions[0]?.type === 'Postback'
        ? (JSON.parse(String(sent.actions[0].data)) as Record<string, unknown>)
        : {};
    };
    expect(dataWith('s1')).to.include({ event: 'InboundReason', sourceId: 's1' });
    expect(dataWith(null)).to.include({ event: 'Broadcast' }).and.not.have.property('sourceId');
  });
});

describe('origin of a click', () => {
  it('is read from an object or text, but not from anything broken', () => {
    const data = { campaignId: 'c', subTaskKey: 'k', messageIndex: 2, bizEventCode: 'buy', sourceId: 's' };
    expect(readClickOrigin(data)).to.deep.equal(data);
    expect(readClickOrigin(JSON.stringify(data))).to.deep.equal(data);
    for (const broken of ['{', null, undefined, [], { messageIndex: 9.5, campaignId: 4 }]) {
      expect(readClickOrigin(broken)).to.deep.equal({
        campaignId: null,
        subTaskKey: null,
        messageIndex: null,
        bizEventCode: null,
        sourceId: null,
      });
    }
  });

  it('finds the card of a Url click', () => {
    const url = (path: string) => ({ type: 'Url' as const, label: path, url: `https://x.example/${path}` });
    const messages = [card(url('a')), card(url('b'), url('c'))];
    const find = (actionIndex: number, path: string | null) =>
      findMessageIndex(
        { messages, sentMessages: messages },
        { actionIndex, type: 'Url', url: path && `https://x.example/${path}` },
      );
    expect(find(0, 'b')).to.equal(1);
    expect(find(1, null)).to.equal(1);
    expect(find(0, null)).to.equal(null);
    expect(find(4, 'a')).to.equal(null);
    expect(findActionUrl(messages, 1, 1)).to.equal('https://x.example/c');
    expect(findActionUrl(messages, null, 0)).to.equal(null);
  });
});

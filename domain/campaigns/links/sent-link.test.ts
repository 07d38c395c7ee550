import { expect } from 'chai';
import * as fc from 'fast-check';
import { LONGEST_LINK, type Parameter, sentLink } from './sent-link.ts';

const signed = [
  'https://files.example/a.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=0a1b',
  'https://files.example/a.pdf?X-Goog-Signature=0a1b#page=2',
  'https://cdn.example/a?Expires=1&Signature=x~&Key-Pair-Id=K1',
  'https://storage.example/a?GoogleAccessId=me&Expires=1&Signature=x%2B',
  'https://blob.example/a?sv=2024-11-04&se=2026-12-01T00%3A00%3A00Z&sig=x%3D',
  'https://files.example/a.pdf?x%2damz%2dsignature=',
  'https://line.me/R/oaMessage/%40shop/?Hello%20there',
  'https://LINE.me:443/R/ti/p/%40shop',
];

describe('a link as it is sent', () => {
  const token: Parameter = ['clickToken', 'T'];
  const utm: Parameter[] = [
    ['utm_source', 'harbor'],
    ['utm_campaign', 'Spring & tea'],
  ];
  const added = 'utm_source=harbor&utm_campaign=Spring%20%26%20tea';

  it('has what is added behind its query and before its fragment', () => {
    for (const [written = '', sent] of [
      ['https://shop.example', `https://shop.example?${added}`],
      ['https://shop.example/a?b=%7E+c', `https://shop.example/a?b=%7E+c&${added}`],
      ['https://shop.example/a#b?c', `https://shop.example/a?${added}#b?c`],
      ['https://shop.example/a?#', `https://shop.example/a?${added}#`],
      ['https://shop.example/a?b&', `https://shop.example/a?b&${added}`],
      ['https://shop.example/a?a=1&&b', `https://shop.example/a?a=1&&b&${added}`],
      ['https://shop.example/a?b=c?d#e#f', `https://shop.example/a?b=c?d&${added}#e#f`],
      ['https://me:secret@shop.example/', `https://me:secret@shop.example/?${added}`],
    ])
      expect(sentLink({ url: written }, utm)).to.deep.equal({ url: sent, asWritten: null });
  });

  it('does not get a parameter that it has, whether it is empty or percent-encoded', () => {
    for (const written of [
      'https://shop.example/?utm_source=mine&clickToken',
      'https://shop.example/?utm_source&clickToken=old',
      'https://shop.example/?a&utm%5Fsource=&click%54oken=',
    ])
      expect(sentLink({ url: written }, [...utm.slice(0, 1), token])).to.deep.equal({ url: written, asWritten: null });
    expect(sentLink({ url: 'https://shop.example/?xutm_source=1&%=2' }, [token]).url).to.equal(
      'https://shop.example/?xutm_source=1&%=2&clickToken=T',
    );
  });

  it('stays as it was written where it carries a signature, opens a chat, or its button says so', () => {
    for (const url of signed) expect(sentLink({ url }, utm), url).to.deep.equal({ url, asWritten: 'link_untracked' });
    const url = 'https://shop.example/';
    expect(sentLink({ url, tracked: false }, utm)).to.deep.equal({ url, asWritten: 'link_untracked' });
    expect(sentLink({ url, tracked: false }, [])).to.deep.equal({ url, asWritten: 'link_untracked' });
    for (const ordinary of [
      'https://shop.example/?Signature=1',
      'https://shop.example/?sig=1',
      'https://shop.example/?se=1&Key-Pair-Id=2',
      'https://shop.example/R/line.me',
      'https://line.me/Rates',
      'https://shop.example/#?X-Amz-Signature=1',
    ])
      expect(sentLink({ url: ordinary, tracked: true }, utm).asWritten, ordinary).to.equal(null);
  });

  it('stays as it was written where it would be too long, with none of what is added', () => {
    const base = 'https://shop.example/?';
    const room = LONGEST_LINK - base.length - '&utm_source=harbor&clickToken=T'.length;
    const parameters: Parameter[] = [['utm_source', 'harbor'], token];
    const fits = `${base}${'x'.repeat(room)}`;
    expect(sentLink({ url: fits }, parameters).url).to.have.length(LONGEST_LINK);
    const long = `${fits}x`;
    expect(sentLink({ url: long }, parameters)).to.deep.equal({ url: long, asWritten: 'link_too_long' });
    expect(sentLink({ url: long }, []), 'nothing is left out').to.deep.equal({ url: long, asWritten: null });
  });

  it('begins with everything that was typed up to the fragment, byte for byte, and ends with the fragment', () => {
    const character = fc.constantFrom(...'aZ0%&=?/#+;:@ \t\'"é茶😀'.split(/(?:)/u), '%41', '%zz', '%E8', '&&');
    const part = fc.array(character, { maxLength: 8 }).map((list) => list.join(''));
    const query = fc.array(
      fc.oneof(part, fc.constantFrom('', 'utm_source', 'utm%5Fsource=', 'clickToken=a', 'se=1', 'sig=2')),
    );
    const link = fc
      .tuple(
        fc.constantFrom('https://shop.example', 'https://u:p@shop.example/a', 'HTTPS://Shop.Example:443/a/../b'),
        fc.option(query, { nil: null }),
        fc.option(part, { nil: null }),
      )
      .map(([base, parts, fragment]) => ({
        typed: `${base}${parts === null ? '' : `?${parts.join('&').replaceAll('#', '')}`}`,
        fragment: fragment === null ? '' : `#${fragment}`,
      }));
    const parameters = fc.uniqueArray(
      fc.tuple(
        fc.oneof(fc.constantFrom('utm_source', 'utm_campaign', 'clickToken'), fc.stringMatching(/^[a-z_]{1,8}$/)),
        part,
      ),
      { selector: ([name]) => name, maxLength: 4 },
    );
    fc.assert(
      fc.property(link, parameters, fc.boolean(), ({ typed, fragment }, given, tracked) => {
        fc.pre(URL.canParse(typed + fragment));
        const { url, asWritten } = sentLink({ url: typed + fragment, tracked }, given);
        expect(url.startsWith(typed)).to.equal(true);
        expect(url.slice(typed.length).endsWith(fragment)).to.equal(true);
        const between = url.slice(typed.length, url.length - fragment.length);
        if (asWritten !== null) expect(between).to.equal('');
        const before = new URL(typed).searchParams;
        const after = new URL(url).searchParams;
        for (const [name, value] of asWritten === null ? given : [])
          expect(after.getAll(name)).to.deep.equal(before.has(name) ? before.getAll(name) : [value]);
        expect(sentLink({ url, tracked }, given).url, 'added twice').to.equal(url);
      }),
    );
  });
});

import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { codingOf, gunzipped } from './coding.ts';

describe('the coding of a body', () => {
  const given = (coding: string | undefined, length = '2') => ({
    headers: { 'content-length': length, ...(coding === undefined ? {} : { 'content-encoding': coding }) },
  });

  it('is none, or one that the operation takes, in any case', () => {
    for (const coding of [undefined, '', 'identity', 'Identity']) expect(codingOf(given(coding))).to.equal('identity');
    expect(codingOf(given('GZip'), 'gzip')).to.equal('gzip');
    expect(codingOf(given('identity'), 'gzip')).to.equal('identity');
    expect(codingOf(given('br', '0'))).to.equal('identity');
  });

  it('is refused otherwise, with those that are taken', () => {
    for (const coding of ['gzip', 'br', 'deflate', 'x', 'identity, gzip', 'gzip, identity'])
      expect(() => codingOf(given(coding)), coding)
        .to.throw()
        .that.includes({ code: 'unsupported_media_type', acceptEncoding: 'identity' });
    for (const coding of ['br', 'gzip, gzip'])
      expect(() => codingOf(given(coding), 'gzip'), coding)
        .to.throw()
        .that.includes({ code: 'unsupported_media_type', acceptEncoding: 'gzip, identity' });
    const chunked = { headers: { 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' } };
    expect(() => codingOf(chunked)).to.throw();
  });
});

describe('gzip', () => {
  const text = 'c1\n'.repeat(1000);
  const packed = gzipSync(text);
  const MOST = 10_000;

  /** What comes out, or the code of the problem. */
  async function unpacked(...chunks: Uint8Array[]): Promise<string> {
    async function* arriving() {
      yield* chunks.map((chunk) => Buffer.from(chunk));
    }
    let out = '';
    try {
      for await (const chunk of gunzipped(arriving(), MOST)) out += chunk.toString();
      return out;
    } catch (error) {
      return String((error as { code?: unknown }).code);
    }
  }

  it('is unpacked, however it is cut, also of several parts', async () => {
    expect(await unpacked(packed)).to.equal(text);
    expect(await unpacked(...Array.from(packed, (byte) => Uint8Array.of(byte)))).to.equal(text);
    expect(await unpacked(packed, packed)).to.equal(text + text);
  });

  it('is refused unless it is whole, and nothing follows it', async () => {
    const broken: Record<string, Uint8Array[]> = {
      nothing: [],
      'another text': [Buffer.from(text)],
      'its beginning': [packed.subarray(0, -1)],
      'a changed byte': [Buffer.concat([packed.subarray(0, 15), Uint8Array.of(1), packed.subarray(16)])],
      'bytes after it': [packed, Buffer.from('x')],
      'zeros after it': [packed, Buffer.alloc(1)],
      'zeros after it at once': [Buffer.concat([packed, Buffer.alloc(100_000)])],
    };
    for (const [what, chunks] of Object.entries(broken))
      expect(await unpacked(...chunks), what).to.equal('invalid_request');
  });

  it('is too large where it unpacks to more than may come', async () => {
    expect(await unpacked(gzipSync(Buffer.alloc(MOST)))).to.have.length(MOST);
    expect(await unpacked(gzipSync(Buffer.alloc(MOST + 1)))).to.equal('too_large');
    expect(await unpacked(gzipSync(Buffer.alloc(50_000_000)))).to.equal('too_large');
  });

  it('passes on what ends the body early', async () => {
    async function* failing() {
      yield packed.subarray(0, 5);
      throw new Error('it left');
    }
    let failure: unknown;
    try {
      for await (const _ of gunzipped(failing(), MOST));
    } catch (error) {
      failure = error;
    }
    expect(failure).to.have.property('message', 'it left');
  });
});

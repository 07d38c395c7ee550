import { expect } from 'chai';
import { gifImage, jpegImage, pngImage, webpImage } from '#test/support/images.ts';
import { imageTypeOf, isWholeImage } from './image-file.ts';

const samples = [
  ['image/png', pngImage],
  ['image/jpeg', jpegImage],
  ['image/gif', gifImage],
  ['image/webp', webpImage],
] as const;

describe('image files', () => {
  for (const [type, image] of samples) {
    it(`knows ${type} by its bytes, and whether it is whole`, () => {
      expect(imageTypeOf(image)).to.equal(type);
      expect(isWholeImage(image, type)).to.equal(true);
      for (let length = 0; length < image.length; length += 1)
        expect(isWholeImage(image.subarray(0, length), type), `${length} bytes`).to.equal(false);
      expect(isWholeImage(Buffer.concat([image, Buffer.from('<script>')]), type), 'with a page behind it').to.equal(
        false,
      );
    });
  }

  it('knows no other type', () => {
    const others = [
      '',
      'GIF',
      'RIFF0000WAVE',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<!doctype html>',
      '%PDF-1.7',
    ];
    for (const text of others) expect(imageTypeOf(Buffer.from(text)), text).to.equal(null);
  });
});

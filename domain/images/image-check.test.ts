import { expect } from 'chai';
import { gifImage, jpegImage, pngImage, webpImage } from '#test/support/images.ts';
import { checkImage } from './image-check.ts';
import { MAXIMUM_IMAGE_BYTES } from './image-file.ts';
import { imageSizeOf } from './image-size.ts';

/** The picture of one pixel, said to be larger. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.from(pngImage);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** With a chunk that pads it to about this size. */
function padded(bytes: number): Buffer {
  const image = png(800, 600);
  const chunk = Buffer.alloc(12 + bytes);
  chunk.writeUInt32BE(bytes, 0);
  chunk.write('tEXt', 4, 'latin1');
  const end = image.length - 12;
  return Buffer.concat([image.subarray(0, end), chunk, image.subarray(end)]);
}

describe('what is wrong with a picture', () => {
  it('is its size in pixels, read from the header of each type', () => {
    for (const [type, image] of [
      ['image/png', pngImage],
      ['image/gif', gifImage],
      ['image/jpeg', jpegImage],
      ['image/webp', webpImage],
    ] as const) {
      expect(imageSizeOf(image, type), type).to.deep.equal({ width: 1, height: 1 });
      expect(imageSizeOf(image.subarray(0, 6), type), `the beginning of ${type}`).to.equal(null);
    }
    expect(imageSizeOf(png(1200, 628), 'image/png')).to.deep.equal({ width: 1200, height: 628 });
    const lossless = Buffer.from('RIFF....WEBPVP8L\x00\x00\x00\x00\x2f\x3f\xc1\x15\x00', 'latin1');
    expect(imageSizeOf(lossless, 'image/webp')).to.deep.equal({ width: 320, height: 88 });
  });

  it('is nothing for one of a good size, and each fault for others', () => {
    const warnings = (bytes: Uint8Array) => checkImage(bytes).warnings;
    expect(warnings(png(1200, 628))).to.deep.equal([]);
    expect(warnings(png(239, 100))).to.deep.equal(['small']);
    expect(warnings(png(240, 100))).to.deep.equal([]);
    expect(warnings(png(100, 4097))).to.deep.equal(['large']);
    expect(warnings(padded(1_048_576))).to.deep.equal(['heavy']);
    expect(warnings(padded(MAXIMUM_IMAGE_BYTES))).to.deep.equal(['too_large']);
    expect(warnings(png(800, 600).subarray(0, -1))).to.deep.equal(['broken']);
    expect(warnings(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).to.deep.equal(['not_an_image']);
    expect(warnings(Buffer.alloc(0))).to.deep.equal(['not_an_image']);
  });
});

import { expect } from 'chai';
import { cityOf } from './cities.ts';

describe('the city of a time zone', () => {
  it('is the last part of its id in English', () => {
    expect(cityOf('Asia/Taipei', 'en')).to.equal('Taipei');
    expect(cityOf('America/Argentina/Buenos_Aires', 'en')).to.equal('Buenos Aires');
    expect(cityOf('UTC', 'en')).to.equal('UTC');
  });

  it('is its Chinese name, or the English one where none is known', () => {
    expect(cityOf('Asia/Taipei', 'zh-Hant')).to.equal('臺北');
    expect(cityOf('America/New_York', 'zh-Hant')).to.equal('紐約');
    expect(cityOf('Europe/Vaduz', 'zh-Hant')).to.equal('Vaduz');
  });
});

import { expect } from 'chai';
import { z } from 'zod';
import { audiencePreviewSchema, savedAudienceSchema } from '../../../domain/api/audiences.ts';
import { campaignBodySchema } from '../../../domain/api/campaign.ts';
import { ruleSchema } from '../../../domain/api/rules.ts';
import { tagSchema } from '../../../domain/api/tags.ts';
import english from '../../locales/en.json' with { type: 'json' };
import { fieldParts } from './field-words.ts';

/** The names of all properties of a JSON schema, but not of what operators put into a button's data. */
function namesIn(schema: unknown, name = ''): string[] {
  if (typeof schema !== 'object' || schema === null || name === 'data') return [];
  const { properties = {}, ...rest } = schema as { properties?: Record<string, unknown> };
  return [
    ...Object.entries(properties).flatMap(([property, inner]) => [property, ...namesIn(inner, property)]),
    ...Object.values(rest).flatMap((inner) => namesIn(inner)),
  ];
}

describe('the fields of audited objects', () => {
  it('all have a word', () => {
    const schemas = [campaignBodySchema, tagSchema, ruleSchema, savedAudienceSchema, audiencePreviewSchema];
    const names = schemas.flatMap((schema) => namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
    const words: Record<string, string> = english.audit.field;
    expect([...new Set(names)].filter((name) => !(name in words))).to.deep.equal([]);
  });

  it('are told by their path, lists from 1, and what operators named stays', () => {
    const word = (name: string) => name.toUpperCase();
    expect(fieldParts('messages.0.actions.1.data.event', word)).to.deep.equal([
      'MESSAGES',
      '1',
      'ACTIONS',
      '2',
      'DATA',
      'event',
    ]);
    expect(fieldParts('name', word)).to.deep.equal(['NAME']);
  });
});

import { expect } from 'chai';
import { z } from 'zod';
import { aiOperations } from '#domain/api/ai.ts';
import { audiencePreviewSchema, savedAudienceSchema } from '#domain/api/audiences.ts';
import { frontendOperations } from '#domain/api/index.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { ruleSchema } from '#domain/api/rules.ts';
import { tagSchema } from '#domain/api/tags.ts';
import english from '#web/locales/en.json' with { type: 'json' };
import { fieldParts, pointerParts } from './use-field-path.ts';

/** The names of all properties of a JSON schema, but not of what operators put into a button's data. */
function namesIn(schema: unknown, name = ''): string[] {
  if (typeof schema !== 'object' || schema === null || name === 'data') return [];
  const { properties = {}, ...rest } = schema as { properties?: Record<string, unknown> };
  return [
    ...Object.entries(properties).flatMap(([property, inner]) => [property, ...namesIn(inner, property)]),
    ...Object.values(rest).flatMap((inner) => namesIn(inner)),
  ];
}

function withoutWord(schemas: readonly z.ZodType[]): string[] {
  const names = schemas.flatMap((schema) => namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
  return [...new Set(names)].filter((name) => !(name in english.field));
}

describe('fields in words', () => {
  it('has a word for each field that the console sends, since each may be refused', () => {
    const operations: AnyOperation[] = Object.values({ ...frontendOperations, ...aiOperations });
    const sent = operations.flatMap(({ body, query, headers }) => [body, query, headers]);
    expect(withoutWord(sent.filter((schema) => schema !== undefined))).to.deep.equal([]);
  });

  it('has a word for each field of an audited object', () => {
    const audited = [tagSchema, ruleSchema, savedAudienceSchema, audiencePreviewSchema];
    expect(withoutWord(audited)).to.deep.equal(['etag'], 'which no entry has');
  });

  it('tells them by their path, lists from 1, and what operators named stays', () => {
    const word = (name: string) => name.toUpperCase();
    const path = ['messages', '0', 'actions', '1', 'data', 'event'];
    expect(fieldParts(path, word)).to.deep.equal(['MESSAGES', '1', 'ACTIONS', '2', 'DATA', 'event']);
    expect(fieldParts(['name'], word)).to.deep.equal(['NAME']);
  });

  it('reads the path of a refused field', () => {
    expect(pointerParts('/messages/0/title')).to.deep.equal(['messages', '0', 'title']);
    expect(pointerParts('query/from')).to.deep.equal(['from']);
    expect(pointerParts('/data/a~1b~0c')).to.deep.equal(['data', 'a/b~c']);
    expect(pointerParts('')).to.deep.equal([]);
  });
});

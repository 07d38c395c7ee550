import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocument } from '#api/http/problem-api.ts';
import { frontendOperations } from '#domain/api/index.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { scopesFor } from '#domain/keys/scopes.ts';
import { projectFolder } from '../start/services.ts';

export const schemaFile = join(projectFolder, 'clients/outreach-api/generated/schema.ts');

/** The operations that some API key may use, by name. */
export const keyOperations: Record<string, AnyOperation> = Object.fromEntries(
  Object.entries(frontendOperations as Record<string, AnyOperation>).filter(
    ([, operation]) => scopesFor(operation).length > 0,
  ),
);

/** The types of those operations, as a module. */
export async function typesOfKeyOperations(): Promise<string> {
  const document = openApiDocument('Outreach', 'For programs with an API key', [
    { prefix: '/api/v1', operations: keyOperations },
  ]);
  const plain = JSON.parse(JSON.stringify(document)) as Parameters<typeof openapiTS>[0];
  return `/** Written by \`npm run api-client\`. */\n\n${astToString(await openapiTS(plain))}`;
}

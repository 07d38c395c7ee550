import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { schemaFile, typesOfKeyOperations } from './schema.ts';

/** `npm run api-client`: writes the types of the package for programs. */
writeFileSync(schemaFile, await typesOfKeyOperations());
console.log(`Written: ${relative(process.cwd(), schemaFile)}`);

// What each npm script does, for `npm run help` and `npm run <script> -- --help`. Plain Node, since `npm start`
// and `npm test` need it before anything is installed.

/** @type {Record<string, { usage: string, does: string, options?: Record<string, string> }>} */
export const commands = {
  start: {
    usage: 'npm start',
    does: 'Installs what is missing, starts PostgreSQL, Temporal, the sandbox and the three services, prints `ready` with the addresses, and then seeds demonstration data. Ctrl-C stops all of it; the next start continues from DATA_DIR.',
    options: {
      'DATA_DIR=<folder>': 'all local state (default .data)',
      'DATABASE_URL=<url>': 'use this PostgreSQL instead of an embedded one',
      'TEMPORAL_ADDRESS=<host:port>': 'use this Temporal server instead of an embedded one',
      'SANDBOX=off, DEMO=off': 'no sandbox, no demonstration data; docs/settings.md lists every setting',
    },
  },
  dev: {
    usage: 'npm run dev',
    does: 'As npm start, from the sources: a change of a service is live within two seconds, in a new process of that service alone, and one of the console at once, in open pages. The sandbox, PostgreSQL and Temporal stay; workflows are bundled again, which takes longer.',
  },
  test: {
    usage: 'npm test [-- <part of a path> …]',
    does: 'Installs what is missing and runs lint, type checks and every test. With parts of paths, runs only the test files whose path contains one of them, without lint and types.',
  },
  'test:all': {
    usage: 'npm run test:all',
    does: 'Compares 20,000 sequences of orders with a model, of which npm test runs 150: hours rather than minutes. The title of the test has the seed. Ends the backend, and kills PostgreSQL, ten times each in the middle of sends, and each process at each step of pay. Measures each page of the console in every combination.',
    options: {
      'ORDER_MODEL_SEQUENCES=<count>': 'how many (default 20000)',
      'ORDER_MODEL_SEED=<seed>': 'only the sequence with this seed',
      'SHUTDOWN_REPETITIONS=<count>': 'how often backend and PostgreSQL are ended (default 10)',
      'SHUTDOWN_DATABASE_AWAY_MS=<ms>': 'how long PostgreSQL is away the first time (default 60000)',
    },
  },
  'test:security': {
    usage: 'npm run test:security',
    does: 'Runs the tests that attack: forged webhooks, every operation with every role and another tenant’s ids, hostile bodies, slow clients, and secrets and personal data sought wherever they do not belong. Part of npm test; npm run test:all sends 1,000,000 forgeries.',
  },
  mutants: {
    usage: 'npm run mutants [-- <part of a change> …]',
    does: 'Makes each of the changes listed in scripts/mutants/list in a copy of the working tree, as a mistake would, and runs the tests that cover it up to the first that fails. Prints each change with the test that noticed it; fails if one was not noticed, or no longer fits the code. With parts of texts, only the changes whose path, text or consequence contains one of them.',
  },
  'start:bff': {
    usage: 'npm run start:bff [-- --api-only | --worker-only]',
    does: 'Runs the BFF alone: console, frontend API and the inbound platform protocol.',
  },
  'start:backend': {
    usage: 'npm run start:backend [-- --api-only | --worker-only]',
    does: 'Runs the outreach backend alone: internal API, flows and Tool API.',
  },
  'start:orders': {
    usage: 'npm run start:orders [-- --api-only | --worker-only]',
    does: 'Runs the order service alone.',
  },
  'start:sandbox': {
    usage: 'npm run start:sandbox',
    does: "Runs the sandbox alone: development's platform, identity service and payment gateway.",
  },
  build: {
    usage: 'npm run build [-- workflow-bundle | web | services | migrations | sandbox]',
    does: 'Builds the workflow bundle, the console, the services and their migrations into dist/, each only if its inputs have changed.',
  },
  migrate: {
    usage: 'npm run migrate',
    does: 'Creates roles and schemas, runs the migrations and, if TEMPORAL_ADDRESS is set, creates the Temporal namespace and its search attributes. Run it before the services of a deployment start.',
  },
  audit: {
    usage: 'npm run audit -- --verify [--ends=<file>]',
    does: 'Compares every audit entry of both services with its seal, and every seal with the one before, of each tenant. Names the first that does not fit, and fails then.',
    options: {
      '--ends=<file>':
        'compare the chains with the ends noted there by an earlier run, and note the present ones if all fits; keep the file outside of the database server',
    },
  },
  schema: {
    usage: 'npm run schema',
    does: 'Migrates an empty database on its own server and writes the resulting schema to migrations/schema.sql.',
  },
  settings: {
    usage: 'npm run settings',
    does: 'Writes docs/settings.md from the schemas of the settings.',
  },
  reencrypt: {
    usage: 'npm run reencrypt',
    does: 'Encrypts every stored value with the first of ENCRYPTION_KEYS, while services run, and prints how many. Exits with 1 while values of other keys are left; a run that was interrupted is continued by the next.',
  },
  restored: {
    usage: 'npm run restored',
    does: 'After PostgreSQL was restored from a backup, before the services start: makes sub-tasks that the backup has as not sent unknown, pauses sends that were being prepared, and lists both, so that each is compared with the platform before anything is sent again. Takes over, as npm run adopt does, what was started elsewhere. Refuses while services use the database.',
  },
  adopt: {
    usage: 'npm run adopt [-- --by=<name>]',
    does: 'Lets a copy of a database send: started in another PostgreSQL cluster, or as another database, it takes in events and shows everything, but submits no campaign and sends no event until this is run. Changes no campaign; the audit log says who did it.',
    options: { '--by=<name>': 'who decided that (default: the user of the operating system)' },
  },
  release: {
    usage: 'TEMPORAL_BUILD_ID=<id> npm run release',
    does: 'Writes the bill of materials (CycloneDX) to dist/sbom.cdx.json. Replays the running and recent workflows with this code, as npm run replay does, and ends there if one differs. Waits for the workers of this release and makes them current; names the older releases whose workers must stay until their runs end.',
  },
  replay: {
    usage: 'npm run replay -- --from <host:port> [--since <time>]',
    does: 'Replays the running and recent workflows of a Temporal server with this working copy, several at a time, and prints type, id and first difference of each that it could not continue. Fails if there is one. Changes nothing on the server.',
    options: {
      '--from=<host:port>':
        'the server (default TEMPORAL_ADDRESS); namespace, TLS and payload keys as for the services',
      '--since=<time>': 'how long ago a workflow may have ended (default 7d); running ones are always replayed',
    },
  },
  bench: {
    usage: 'npm run bench [-- <name> … [<parameter>=<number> …]]',
    does: 'Measures what must be fast, compares each figure with its baseline, and writes the results to bench/results. orders-mixed-load takes 15 minutes (minutes=, seed=, perSecond=) and fails if money is not accounted for.',
  },
  lint: { usage: 'npm run lint', does: 'Checks code rules, formatting and which room may import which.' },
  format: { usage: 'npm run format', does: 'Formats every file.' },
  types: { usage: 'npm run types', does: 'Type-checks the services, the tests and the console.' },
  'new:workflow': {
    usage: 'npm run new:workflow -- <name> [--service=orders]',
    does: 'Writes contract, activity, workflow and test of a workflow that works in batches, such as recount-tags, and registers them. Its test records its history.',
  },
  specification: {
    usage: 'npm run specification [-- --check]',
    does: 'Writes docs/specification.md, the map from each row of the specifications to its tests, and docs/asvs.md, the checklist of OWASP ASVS; with --check, fails if a row has no test, or either is stale. Fails in any case where the checklist names a test or a line that is not there.',
  },
  'api-client': {
    usage: 'npm run api-client',
    does: 'Writes the types of the package for programs (clients/outreach-api) from the description of the operations that an API key may use.',
  },
  help: { usage: 'npm run help', does: 'Lists the npm scripts and what each does.' },
};

const WIDTH = 100;

/** Breaks prose into lines of at most WIDTH columns, each indented. */
function wrap(text, indent) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (indent.length + last.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => `${indent}${line}`).join('\n');
}

/** The `--help` text of one npm script. */
export function helpOf(name) {
  const { usage, does, options = {} } = commands[name];
  const rows = Object.entries(options).map(([option, text]) => `  ${option.padEnd(30)} ${text}`);
  return [`Usage: ${usage}`, '', wrap(does, ''), ...(rows.length > 0 ? ['', ...rows] : [])].join('\n');
}

/** Every npm script with what it does. */
export const overview = () =>
  Object.values(commands)
    .map(({ usage, does }) => `${usage}\n${wrap(does, '    ')}`)
    .join('\n\n');

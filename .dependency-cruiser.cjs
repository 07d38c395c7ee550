/**
 * Imports go one way (docs/architecture.md). Each room lists what it may import; everything else in the project
 * is off limits.
 * Tests (`*.test.ts`, `test/`) may import every room; nothing imports them.
 */
const rooms = [
  'activities',
  'api',
  'bench',
  'clients',
  'commands',
  'db',
  'domain',
  'migrations',
  'sandbox',
  'scripts',
  'test',
  'web',
  'workflows',
];

const mayImport = {
  domain: ['domain'],
  db: ['db', 'domain', 'migrations'],
  commands: ['commands', 'db', 'domain'],
  migrations: ['migrations'],
  clients: ['clients', 'domain'],
  activities: ['activities', 'clients', 'commands', 'db', 'domain'],
  api: ['api', 'workflows/contracts', 'activities', 'clients', 'commands', 'db', 'domain'],
  web: ['web', 'domain'],
  sandbox: ['sandbox', 'api/http', 'domain'],
};

const oneWay = Object.entries(mayImport).map(([room, reachable]) => ({
  name: `${room}-imports`,
  comment: `${room} may import only ${reachable.join(', ')}`,
  severity: 'error',
  from: { path: `^${room}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `^(${rooms.join('|')})/`, pathNot: reachable.map((path) => `^${path}/`) },
}));

module.exports = {
  forbidden: [
    ...oneWay,
    {
      name: 'workflows-imports',
      comment: 'workflow code may import only domain, its contracts, and the types of activities',
      severity: 'error',
      from: { path: '^workflows/', pathNot: '\\.test\\.ts$' },
      to: {
        path: `^(${rooms.join('|')})/`,
        pathNot: ['^workflows/', '^domain/', '^activities/'],
      },
    },
    {
      name: 'workflows-see-activity-types-only',
      severity: 'error',
      from: { path: '^workflows/', pathNot: '\\.test\\.ts$' },
      to: { path: '^activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-development',
      comment: 'sandbox, bench and test are leaves',
      severity: 'error',
      from: { path: `^(${rooms.join('|')})/`, pathNot: ['^(sandbox|bench|test|scripts)/', '\\.test\\.ts$'] },
      to: { path: '^(sandbox|bench|test)/' },
    },
    {
      name: 'bff-keeps-to-its-schema',
      comment: 'the BFF reaches the backend and the orders service through their APIs, never through their tables',
      severity: 'error',
      from: { path: ['^api/bff/', '^activities/bff/'], pathNot: '\\.test\\.ts$' },
      to: { path: ['^(commands|db)/outreach/', '^db/orders/'] },
    },
    {
      name: 'each-service-keeps-to-its-schema',
      severity: 'error',
      from: { path: ['^api/(backend|orders)/', '^(activities|commands)/(outreach|orders)/'], pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(commands|db)/',
        pathNot: ['^db/[^/]+\\.ts$', '^commands/outreach/', '^db/(outreach|orders|recurring|webhooks)/'],
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    {
      name: 'objection-stays-in-db',
      comment: 'objection and knex are replaceable within one folder; the baseline benchmark does without them',
      severity: 'error',
      from: { path: `^(${rooms.join('|')})/`, pathNot: ['^(db|migrations|test|bench)/', '\\.test\\.ts$'] },
      to: { path: 'node_modules/(objection|knex|pg)/' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.data)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.mts', '.vue', '.js', '.mjs', '.cjs', '.json'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};

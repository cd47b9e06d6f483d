import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { Failure } from './failure.ts';
import { readManifest } from './manifest.ts';

/**
 * The commands of `service/`. They need the service and its dependencies, so they are built apart and are not part of the
 * published package.
 */
interface ServiceModules {
  'audit-dump': typeof import('./service/audit-dump.ts');
  demo: typeof import('./service/demo.ts');
  'dev-token': typeof import('./service/dev-token.ts');
  'keys-rotate': typeof import('./service/keys-rotate.ts');
  migrate: typeof import('./service/migrate.ts');
  serve: typeof import('./service/serve.ts');
  'trace-replay': typeof import('./service/trace-replay.ts');
}

const HEADING = 'Service commands, in a clone of the repository or in the container image:';
const DATA_DIR = '--data-dir <dir>';
const USED_DATA_DIR = 'folder of the embedded stack (DATA_DIR, else ./.dpa)';
const STOPPED_DATA_DIR = 'folder of the embedded stack, whose service must not run (DATA_DIR, else ./.dpa)';

/** Declares the commands that run the service, and those that use its database or its keys. */
export function declareServiceCommands(
  { program, audit, keys }: Record<'program' | 'audit' | 'keys', Command>,
  wholeNumber: (text: string) => number,
): void {
  program.commandsGroup(HEADING);
  program
    .command('serve')
    .description('run the service; without DATABASE_URL it brings its own PostgreSQL')
    .option('--port <n>', 'port to listen on, 0 for a free one (PORT, else 8080)', wholeNumber)
    .option('--host <host>', 'address to listen on (HOST, else 127.0.0.1)')
    .option(DATA_DIR, USED_DATA_DIR)
    .addOption(
      new Option('--role <role>', 'what this process does')
        .choices(['api', 'worker', 'scheduler', 'bot', 'all'])
        .default('all'),
    )
    .action(async (options) => (await load('serve')).serve(options));

  program
    .command('demo')
    .description('start everything, judge a plan through the service, print the comment, stop')
    .argument('[plan]', 'JSON of a plan; a bundled one unless given')
    .option(DATA_DIR, 'folder of the embedded stack, kept for the next run (./.dpa-demo)')
    .action(async (plan, options) => (await load('demo')).demo(plan, options));

  program
    .command('dev-token')
    .description('print a token for a service without identity provider, for development')
    .requiredOption('--email <email>', 'who the token is for')
    .option('--name <name>', 'display name of that person')
    .option(DATA_DIR, USED_DATA_DIR)
    .action(async (options) => (await load('dev-token')).devToken(options));

  program
    .command('migrate')
    .description('bring the database up to date and leave')
    .option(DATA_DIR, USED_DATA_DIR)
    .action(async (options) => (await load('migrate')).migrate(options));

  declareStoreCommands(program, audit, keys);
}

function declareStoreCommands(program: Command, audit: Command, keys: Command): void {
  audit
    .command('dump')
    .helpGroup(HEADING)
    .description('print the audit log of the service as JSON, one row a line, for verify')
    .option(DATA_DIR, STOPPED_DATA_DIR)
    .action(async (options) => (await load('audit-dump')).dumpAudit(options));

  keys
    .command('rotate')
    .helpGroup(HEADING)
    .description('seal every secret of the database under the first key of MASTER_KEY; services may run meanwhile')
    .option(DATA_DIR, STOPPED_DATA_DIR)
    .addHelpText('after', '\nExits with 2 when something opens with none of the keys. It can be repeated at any time.')
    .action(async (options) => (await load('keys-rotate')).rotateKeys(options));

  program
    .command('trace')
    .description('calls of language models')
    .command('replay')
    .description('make the prompt of a call and the reading of its answer again, without a model, and compare')
    .argument('<id>', 'of a narrative: trc- and 24 hex digits')
    .option(DATA_DIR, STOPPED_DATA_DIR)
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      '\nExits with 0 when all is the same, 2 when something differs, 1 when that could not be told.',
    )
    .action(async (id, options) => (await load('trace-replay')).replay(id, options));
}

/** @throws Failure in the published package, which says where the command runs */
async function load<Name extends keyof ServiceModules>(name: Name): Promise<ServiceModules[Name]> {
  const module = new URL(`service/${name}.js`, import.meta.url);
  if (existsSync(module)) return import(module.href);
  throw new Failure(
    'this command needs the service, which the npm package @dpa/cli does not contain: run it in a clone of ' +
      `${readManifest().homepage} (\`npm ci\`, then \`npx dpa\`), or in the container image that its Dockerfile builds`,
  );
}

import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { Failure } from './failure.ts';
import { readManifest } from './manifest.ts';

/**
 * The commands of `service/`. They need the service and its dependencies, so they are built separately and are not part of
 * the published package.
 */
interface ServiceModules {
  'audit-dump': typeof import('./service/audit-dump.ts');
  demo: typeof import('./service/demo.ts');
  'dev-token': typeof import('./service/dev-token.ts');
  'keys-rotate': typeof import('./service/keys-rotate.ts');
  migrate: typeof import('./service/migrate.ts');
  record: typeof import('./service/record.ts');
  serve: typeof import('./service/serve.ts');
  'trace-replay': typeof import('./service/trace-replay.ts');
}

const HEADING = 'Service commands (only in a clone of the repository or in the container image):';
const DATA_DIR = '--data-dir <dir>';
const USED_DATA_DIR = 'data folder of the embedded stack (DATA_DIR; default: ./.dpa)';
const STOPPED_DATA_DIR = 'data folder of the embedded stack; stop its service first (DATA_DIR; default: ./.dpa)';

/** Declares the commands that run the service, and those that use its database or its keys. */
export function declareServiceCommands(
  { program, audit, keys }: Record<'program' | 'audit' | 'keys', Command>,
  wholeNumber: (text: string) => number,
): void {
  program.commandsGroup(HEADING);
  program
    .command('serve')
    .description('run the service; without DATABASE_URL it starts an embedded PostgreSQL')
    .option('--port <n>', 'port to listen on, 0 for any free port (PORT; default: 8080)', wholeNumber)
    .option('--host <host>', 'address to listen on (HOST; default: 127.0.0.1)')
    .option(DATA_DIR, USED_DATA_DIR)
    .addOption(
      new Option('--role <role>', 'role of this process')
        .choices(['api', 'worker', 'scheduler', 'bot', 'all'])
        .default('all'),
    )
    .action(async (options) => (await load('serve')).serve(options));

  program
    .command('demo')
    .description('start the service, analyze a plan with it, print the comment, and stop')
    .argument('[plan]', 'plan as JSON; default: a bundled sample')
    .option(DATA_DIR, 'data folder of the embedded stack, kept for the next run (default: ./.dpa-demo)')
    .action(async (plan, options) => (await load('demo')).demo(plan, options));

  program
    .command('dev-token')
    .description('print an access token for a service without an identity provider, for development')
    .requiredOption('--email <email>', 'email address of the user')
    .option('--name <name>', 'display name of the user')
    .option(DATA_DIR, USED_DATA_DIR)
    .action(async (options) => (await load('dev-token')).devToken(options));

  program
    .command('migrate')
    .description('migrate the database to the current version and exit')
    .option(DATA_DIR, USED_DATA_DIR)
    .action(async (options) => (await load('migrate')).migrate(options));

  program
    .command('record')
    .description(
      'record a cloud account into a folder, without secrets, to reproduce a scan: see docs/recorded-accounts.md',
    )
    .argument('<folder>', 'folder to write; it must not exist')
    .addOption(new Option('--provider <provider>', 'cloud').choices(['aws', 'gcp', 'azure']).makeOptionMandatory())
    .requiredOption('--account <id>', 'AWS account, Google Cloud project or Azure subscription')
    .option('--region <region>', 'region to read; repeatable; all if none is given', appendRegion, [])
    .addHelpText('after', RECORD_HELP)
    .action(async (folder, options) => (await load('record')).record(folder, options));

  declareStoreCommands(program, audit, keys);
}

const RECORD_HELP = `
Reads the account with credentials from the environment, and changes nothing in it:
  aws    AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary keys, AWS_SESSION_TOKEN
  gcp    GOOGLE_APPLICATION_CREDENTIALS, the key file of a service account
  azure  AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET

Secrets are removed before anything is written. IDs, names, tags, descriptions and addresses stay: read the files
before you share them.

  dpa record ./my-account --provider aws --account 123456789012 --region eu-west-1`;

function appendRegion(region: string, before: string[]): string[] {
  return [...before, region];
}

function declareStoreCommands(program: Command, audit: Command, keys: Command): void {
  audit
    .command('dump')
    .helpGroup(HEADING)
    .description('print the audit log of the service, one row per line as JSON')
    .option(DATA_DIR, STOPPED_DATA_DIR)
    .action(async (options) => (await load('audit-dump')).dumpAudit(options));

  keys
    .command('rotate')
    .helpGroup(HEADING)
    .description('encrypt every secret in the database with the first key of MASTER_KEY; services can keep running')
    .option(DATA_DIR, STOPPED_DATA_DIR)
    .addHelpText(
      'after',
      '\nExits with 2 if a record cannot be decrypted with any of the keys. You can run the command again at any time.',
    )
    .action(async (options) => (await load('keys-rotate')).rotateKeys(options));

  program
    .command('trace')
    .description('traces of language model calls')
    .command('replay')
    .description('rebuild the prompt of a call and parse its answer again, without a model, and compare the results')
    .argument('<id>', 'trace ID: trc- and 24 hex digits')
    .option(DATA_DIR, STOPPED_DATA_DIR)
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      '\nExits with 0 if everything is the same, 2 if something differs, and 1 if the trace could not be compared.',
    )
    .action(async (id, options) => (await load('trace-replay')).replay(id, options));
}

/** @throws Failure in the published package; the message says where the command runs */
async function load<Name extends keyof ServiceModules>(name: Name): Promise<ServiceModules[Name]> {
  const module = new URL(`service/${name}.js`, import.meta.url);
  if (existsSync(module)) return import(module.href);
  throw new Failure(
    'this command needs the service, which the npm package @dpa/cli does not contain. Run it in a clone of ' +
      `${readManifest().homepage} (\`npm ci\`, then \`npx dpa\`), or in the container image that its Dockerfile builds`,
  );
}

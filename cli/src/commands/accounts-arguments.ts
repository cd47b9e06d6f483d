import { type Command, Option } from 'commander';
import { withConnection } from './with-connection.ts';

const TYPES = [
  'aws_role',
  'aws_access_key',
  'aws_web_identity',
  'gcp_service_account_key',
  'gcp_workload_identity',
  'azure_client_secret',
  'azure_federated',
];
const PROVIDERS = ['aws', 'gcp', 'azure'];
const CREDENTIALS_FILE =
  'JSON file with the credentials, or - for standard input; for gcp_service_account_key, the key file of Google Cloud';

/** Adds the command `accounts`; each subcommand imports the modules that it needs when it runs. */
export function declareAccounts(program: Command): void {
  const accounts = program.command('accounts').description('cloud accounts that the service reads');

  withConnection(accounts.command('list'))
    .description('list cloud accounts, newest first')
    .addOption(new Option('--provider <provider>', 'only this cloud').choices(PROVIDERS))
    .action(async (options) => (await import('./accounts.ts')).listAccounts(options));

  withConnection(accounts.command('setup'))
    .description('show what to create in a cloud before you add an account; requires the role owner or admin')
    .argument('<provider>', PROVIDERS.join(', '))
    .action(async (provider, options) => (await import('./accounts.ts')).showSetup(provider, options));

  withConnection(accounts.command('add'))
    .description('add an account after its cloud has confirmed the credentials; requires the role owner or admin')
    .argument('<account>', '12-digit AWS account, Google Cloud project ID, or Azure subscription ID')
    .requiredOption('--name <name>', 'name for people')
    .addOption(new Option('--type <type>', 'credential type').choices(TYPES).makeOptionMandatory())
    .requiredOption('--credentials <file>', CREDENTIALS_FILE)
    .option('--region <region...>', 'regions to read; default: all enabled regions')
    .action(async (account, options) => (await import('./accounts.ts')).addAccount(account, options));

  withConnection(accounts.command('rotate'))
    .description('replace the credentials of an account; the old ones are kept until the new ones are confirmed')
    .argument('<account>', 'account as in the list, or its ID')
    .addOption(new Option('--type <type>', 'credential type, if it changes').choices(TYPES))
    .requiredOption('--credentials <file>', CREDENTIALS_FILE)
    .action(async (account, options) => (await import('./accounts.ts')).rotateCredentials(account, options));

  withConnection(accounts.command('validate'))
    .description('ask the cloud whether the credentials work and which permissions are missing; exits with 2 if not')
    .argument('<account...>', 'account as in the list, or its ID')
    .action(async (names, options) => (await import('./accounts.ts')).validateAccounts(names, options));

  withConnection(accounts.command('coverage'))
    .description('show which parts of an account the last scan could not read, and why; exits with 2 if there are any')
    .argument('<account>', 'account as in the list, or its ID')
    .option('--all', 'also show the parts that were read')
    .action(async (name, options) => (await import('./accounts-coverage.ts')).showCoverage(name, options));

  withConnection(accounts.command('remove'))
    .description('delete accounts and erase their credentials; requires the role owner or admin')
    .argument('<account...>', 'account as in the list, or its ID')
    .action(async (names, options) => (await import('./accounts.ts')).removeAccounts(names, options));
}

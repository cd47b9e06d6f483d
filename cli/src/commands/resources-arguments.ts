import { type Command, Option } from 'commander';
import { withConnection } from './with-connection.ts';

/** Adds the command `resources`; each subcommand imports the modules that it needs when it runs. */
export function declareResources(program: Command, wholeNumber: (text: string) => number): void {
  const resources = program.command('resources').description('what scans found in the cloud accounts');

  withConnection(resources.command('list'))
    .description('list resources by type and ID')
    .option('--account <account>', 'only this account: as in `dpa accounts list`, or its ID')
    .addOption(new Option('--provider <provider>', 'only this cloud').choices(['aws', 'gcp', 'azure']))
    .option('--kind <kind>', 'only this kind, such as storage or database')
    .option('--type <type>', 'only this type of the cloud, such as AWS::S3::Bucket')
    .option('--undeclared', 'only resources that no state declares')
    .option('--search <text>', 'only resources whose name or ID begins with this text')
    .option('--limit <n>', 'how many resources to print', wholeNumber, 100)
    .action(async (options) => (await import('./resources.ts')).listResources(options));

  withConnection(resources.command('get'))
    .description('show a resource and the plans that change it')
    .argument('<id>', 'ID of the resource, as in the output of `list` with --format json')
    .option('--properties', 'read all properties from the cloud; requires the role owner or admin')
    .action(async (id, options) => (await import('./resources.ts')).getResource(id, options));
}

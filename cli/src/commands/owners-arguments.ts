import { type Command, Option } from 'commander';
import { withConnection } from './with-connection.ts';

/** Adds the command `owners`; each subcommand imports the modules that it needs when it runs. */
export function declareOwners(program: Command): void {
  const owners = program
    .command('owners')
    .description("accounts, domains and repositories that are the organization's own");

  withConnection(owners.command('list'))
    .description('list confirmed, suggested and dismissed owners, newest first')
    .addOption(new Option('--status <status>', 'only this status').choices(['suggested', 'confirmed', 'dismissed']))
    .option('--kind <kind>', 'only this kind, such as account, project, domain or repository_host')
    .action(async (options) => (await import('./owners.ts')).listOwners(options));

  withConnection(owners.command('add'))
    .description('add an owner as confirmed; requires the role owner or admin')
    .argument('<owner>', 'account ID, domain, github.com/acme, URL, image, ARN, or a name such as project:acme-prod')
    .option('--note <text>', 'note for people')
    .action(async (owner, options) => (await import('./owners.ts')).addOwner(owner, options));

  withConnection(owners.command('confirm'))
    .description('confirm suggestions: from now on they count; requires the role owner or admin')
    .argument('<owner...>', 'owner as in the list, or its ID')
    .option('--note <text>', 'note for people')
    .action(async (names, options) => (await import('./owners.ts')).decideOwners(names, 'confirmed', options));

  withConnection(owners.command('dismiss'))
    .description('dismiss owners: they do not count, and are never suggested again; requires the role owner or admin')
    .argument('<owner...>', 'owner as in the list, or its ID')
    .option('--note <text>', 'note for people')
    .action(async (names, options) => (await import('./owners.ts')).decideOwners(names, 'dismissed', options));

  withConnection(owners.command('remove'))
    .description('delete owners from the list; plans can suggest them again; requires the role owner or admin')
    .argument('<owner...>', 'owner as in the list, or its ID')
    .action(async (names, options) => (await import('./owners.ts')).removeOwners(names, options));
}

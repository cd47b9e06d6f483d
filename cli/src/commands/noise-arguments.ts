import { type Command, Option } from 'commander';

/** Adds `noise` and what it takes. Loads nothing of it: each command imports what it needs when it runs. */
export function declareNoise(program: Command, wholeNumber: (text: string) => number): void {
  const noise = program.command('noise').description('plan noise of an organization: what recurs, what is suppressed');
  const appendValue = (text: string, before: string[] = []) => [...before, text];

  withOrgOptions(noise.command('list'))
    .description('list the patterns that keep coming back')
    .option('--repo <owner/name>', 'only those of this repository')
    .option('--suppressed', 'also those that are suppressed')
    .addOption(createFormatOption())
    .action(async (options) => (await import('./noise.ts')).listNoise(options));

  withOrgOptions(noise.command('show'))
    .description('show one pattern: the rule that knows it, where it recurs, where it is suppressed')
    .argument('<fingerprint>', 'its first 8 digits are enough')
    .addOption(createFormatOption())
    .action(async (fingerprint, options) => (await import('./noise.ts')).showNoise(fingerprint, options));

  withOrgOptions(noise.command('suppress'))
    .description('accept a pattern as noise; for owners and admins')
    .argument('<fingerprint>', 'its first 8 digits are enough where it recurs')
    .addOption(
      new Option('--for <duration>', 'how long').choices(['7d', '30d', '90d', 'forever']).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'why, for those who find it later')
    .option('--address <address>', 'where; wherever it recurs unless given; repeatable', appendValue, [])
    .option('--false-positive', 'it was never a risk at all')
    .addOption(createFormatOption())
    .action(async (fingerprint, options) => (await import('./noise.ts')).suppressNoise(fingerprint, options));

  withOrgOptions(noise.command('suppress-recurring'))
    .description('accept all that keeps coming back and is known to mean nothing; a dry run unless --apply is given')
    .addOption(
      new Option('--for <duration>', 'how long').choices(['7d', '30d', '90d', 'forever']).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'why, for those who find it later')
    .option('--repo <owner/name>', 'only what recurs in this repository')
    .option(
      '--also <fingerprint>',
      'a pattern that is left out otherwise: of security, identity, encryption or network; repeatable',
      appendValue,
      [],
    )
    .option('--apply', 'suppress them')
    .addOption(createFormatOption())
    .action(async (options) => (await import('./noise-bulk.ts')).suppressRecurring(options));

  withOrgOptions(noise.command('unsuppress'))
    .description('take a suppression back; for owners and admins')
    .argument('<id>', 'as `dpa noise suppressions` shows it')
    .action(async (id, options) => (await import('./noise.ts')).unsuppressNoise(id, options));

  withOrgOptions(noise.command('suppressions'))
    .description('list what is suppressed, newest first')
    .option('--all', 'also what is over')
    .addOption(createFormatOption())
    .action(async (options) => (await import('./noise.ts')).listSuppressed(options));

  withOrgOptions(noise.command('fix'))
    .description('work out ways to be rid of a pattern; counts as an analysis')
    .argument('<fingerprint>', 'its first 8 digits are enough where it recurs')
    .option('--timeout <seconds>', 'how long to wait', wholeNumber, 120)
    .addOption(createFormatOption())
    .action(async (fingerprint, options) => (await import('./noise.ts')).fixNoise(fingerprint, options));
}

function withOrgOptions(command: Command): Command {
  return command
    .option('--org <org>', 'slug or id of the organization (DPA_ORG)')
    .option('--url <url>', 'where the service is (DPA_URL)');
}

function createFormatOption(): Option {
  return new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text');
}

import { type Command, Option } from 'commander';

/** Adds the command `noise`; each subcommand imports the modules that it needs when it runs. */
export function declareNoise(program: Command, wholeNumber: (text: string) => number): void {
  const noise = program.command('noise').description('recurring plan noise of an organization, and its suppressions');
  const appendValue = (text: string, before: string[] = []) => [...before, text];

  withOrgOptions(noise.command('list'))
    .description('list recurring patterns')
    .option('--repo <owner/name>', 'only patterns of this repository')
    .option('--suppressed', 'include suppressed patterns')
    .addOption(createFormatOption())
    .action(async (options) => (await import('./noise.ts')).listNoise(options));

  withOrgOptions(noise.command('show'))
    .description('show one pattern: its rule, where it recurs, where it is suppressed')
    .argument('<fingerprint>', 'fingerprint, or its first 8 digits or more')
    .addOption(createFormatOption())
    .action(async (fingerprint, options) => (await import('./noise.ts')).showNoise(fingerprint, options));

  withOrgOptions(noise.command('suppress'))
    .description('accept a pattern as noise; requires the role owner or admin')
    .argument('<fingerprint>', 'fingerprint, or its first 8 digits or more if the pattern recurs')
    .addOption(
      new Option('--for <duration>', 'duration').choices(['7d', '30d', '90d', 'forever']).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'reason, for people who review it later')
    .option(
      '--address <address>',
      'address where to accept it; repeatable; default: every address where it recurs',
      appendValue,
      [],
    )
    .option('--false-positive', 'mark the pattern as a false positive')
    .addOption(createFormatOption())
    .action(async (fingerprint, options) => (await import('./noise.ts')).suppressNoise(fingerprint, options));

  withOrgOptions(noise.command('suppress-recurring'))
    .description('accept all recurring patterns that are known to have no effect; without --apply, only show them')
    .addOption(
      new Option('--for <duration>', 'duration').choices(['7d', '30d', '90d', 'forever']).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'reason, for people who review it later')
    .option('--repo <owner/name>', 'only patterns that recur in this repository')
    .option(
      '--also <fingerprint>',
      'also accept this pattern, although it concerns security, identity, encryption or network, or no rule knows it; repeatable',
      appendValue,
      [],
    )
    .option('--apply', 'suppress the patterns')
    .addOption(createFormatOption())
    .action(async (options) => (await import('./noise-bulk.ts')).suppressRecurring(options));

  withOrgOptions(noise.command('unsuppress'))
    .description('delete a suppression; requires the role owner or admin')
    .argument('<id>', 'suppression ID, from `dpa noise suppressions`')
    .action(async (id, options) => (await import('./noise.ts')).unsuppressNoise(id, options));

  withOrgOptions(noise.command('suppressions'))
    .description('list suppressions, newest first')
    .option('--all', 'include expired suppressions')
    .addOption(createFormatOption())
    .action(async (options) => (await import('./noise.ts')).listSuppressed(options));

  withOrgOptions(noise.command('fix'))
    .description('find ways to fix a pattern; counts as an analysis')
    .argument('<fingerprint>', 'fingerprint, or its first 8 digits or more if the pattern recurs')
    .option('--timeout <seconds>', 'time limit', wholeNumber, 120)
    .addOption(createFormatOption())
    .action(async (fingerprint, options) => (await import('./noise.ts')).fixNoise(fingerprint, options));
}

function withOrgOptions(command: Command): Command {
  return command
    .option('--org <org>', 'slug or ID of the organization (DPA_ORG)')
    .option('--url <url>', 'address of the service (DPA_URL)');
}

function createFormatOption(): Option {
  return new Option('--format <format>', 'output format').choices(['text', 'json']).default('text');
}

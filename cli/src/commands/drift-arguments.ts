import { type Command, Option } from 'commander';
import { parseFailOn } from './drift-conditions.ts';

/** Adds the command `drift`, which imports the modules that it needs when it runs. */
export function declareDrift(program: Command, parseWholeNumber: (text: string) => number): void {
  program
    .command('drift')
    .description('show where a cloud differs from its states, on this machine and without network access')
    .requiredOption('--state <file...>', 'state files, or outputs of `terraform show -json`; - reads standard input')
    .requiredOption(
      '--inventory <path...>',
      'JSON that a command of aws, gcloud or az printed, or folders of such files or of recorded accounts',
    )
    .option('--ignore <file>', 'YAML or JSON file with drift that you accept; see docs/drift.md')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'))
    .option('--json', 'short for --format json')
    .option(
      '--fail-on <what>',
      'exit with 2 on new, changed or missing resources, on a level (low, medium, high, critical) or above, or if anything was not checked (incomplete); repeatable, or separated by commas',
      parseFailOn,
      [],
    )
    .option(
      '--type <pattern>',
      'only this Terraform type or type of the cloud, such as aws_iam_*; repeatable',
      appendValue,
    )
    .option(
      '--address <pattern>',
      'only this address or ID in the cloud, such as module.shop.*; repeatable',
      appendValue,
    )
    .addOption(
      new Option('--min-level <level>', 'only differences with this level or above')
        .choices(['none', 'low', 'medium', 'high', 'critical'])
        .default('none'),
    )
    .option('--top <n>', 'number of differences to show in text and markdown', parseWholeNumber, 20)
    .addHelpText(
      'after',
      `
docs/inventory-files.md lists the commands that write an inventory, and docs/drift.md explains the result.
Filters also limit what --fail-on counts. Accepted drift never counts.
Exits with 0 if --fail-on does not apply, 2 if it does, 3 if it does not but a part of the input could not be read, and 1 if
nothing could be compared.`,
    )
    .action(async (options) => (await import('./drift.ts')).drift(options));
}

function appendValue(text: string, before: string[] = []): string[] {
  return [...before, text];
}

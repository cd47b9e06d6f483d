import { type Command, InvalidArgumentError, Option } from 'commander';

const STATUSES = ['pending', 'running', 'done', 'error'];

/** Adds the command `scans`; each subcommand imports the modules that it needs when it runs. */
export function declareScans(program: Command): void {
  const scans = program.command('scans').description('scans of cloud accounts');

  withConnection(scans.command('start'))
    .description(
      'scan accounts, or every enabled account; exits with 2 if --wait finds a scan that failed or is partial',
    )
    .argument('[account...]', 'account as in `dpa accounts list`, or its ID')
    .option('--region <region...>', 'read only these regions and the global services')
    .option('--wait', 'wait until the scans have ended')
    .action(async (names, options) => (await import('./scans.ts')).startScans(names, options));

  withConnection(scans.command('list'))
    .description('list scans, newest first')
    .option('--account <account>', 'only scans of this account')
    .addOption(new Option('--status <status>', 'only scans in this status').choices(STATUSES))
    .option('--limit <n>', 'number of scans to list', parseLimit, 20)
    .action(async (options) => (await import('./scans.ts')).listScans(options));

  withConnection(scans.command('get'))
    .description('show a scan and what it could not read')
    .argument('<scan>', 'ID of the scan')
    .option('--wait', 'wait until the scan has ended')
    .action(async (id, options) => (await import('./scans.ts')).getScan(id, options));

  withConnection(scans.command('cancel'))
    .description('end a scan; what it has read is kept')
    .argument('<scan>', 'ID of the scan')
    .action(async (id, options) => (await import('./scans.ts')).cancelScan(id, options));
}

function withConnection(command: Command): Command {
  return command
    .option('--org <org>', 'slug or ID of the organization (DPA_ORG)')
    .option('--url <url>', 'address of the service (DPA_URL)')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'));
}

function parseLimit(value: string): number {
  if (/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 200) return Number(value);
  throw new InvalidArgumentError('must be a number from 1 to 200');
}

import type { Command } from 'commander';
import { withConnection } from './with-connection.ts';

const NAMED = 'name or ID of the schedule';

/** Adds the command `schedules`; each subcommand imports the modules that it needs when it runs. */
export function declareSchedules(program: Command): void {
  const schedules = program.command('schedules').description('scans by cron expression');

  withConnection(schedules.command('list'))
    .description('list schedules with their next runs')
    .action(async (options) => (await import('./schedules.ts')).listSchedules(options));

  withFields(withConnection(schedules.command('create')))
    .description('create a schedule')
    .argument('<name>', 'name of the schedule')
    .argument('<cron>', 'five fields in UTC: minute, hour, day of the month, month, day of the week')
    .addHelpText('after', HELP)
    .action(async (name, cron, options) => (await import('./schedules.ts')).createSchedule(name, cron, options));

  withFields(withConnection(schedules.command('update')))
    .description('change a schedule; options that are not given leave it as it is')
    .argument('<schedule>', NAMED)
    .option('--name <name>', 'new name')
    .option('--cron <expression>', 'new cron expression')
    .option('--enable', 'run it by the clock again; forgets its failures')
    .option('--disable', 'run it by hand only')
    .option('--all-accounts', 'scan every account that is enabled when it runs')
    .option('--all-regions', 'scan every region that the accounts read')
    .option('--default-channel', "use the organization's channel")
    .action(async (name, options) => (await import('./schedules.ts')).updateSchedule(name, options));

  withConnection(schedules.command('run'))
    .description('start the scans of a schedule now')
    .argument('<schedule>', NAMED)
    .option('--wait', 'wait until the scans have ended; exits with 2 if one failed or is partial')
    .action(async (name, options) => (await import('./schedules.ts')).runSchedule(name, options));

  withConnection(schedules.command('delete'))
    .description('delete schedules; scans that they have started continue')
    .argument('<schedule...>', NAMED)
    .action(async (names, options) => (await import('./schedules.ts')).deleteSchedules(names, options));
}

const HELP = `
  dpa schedules create Nightly '30 2 * * *'
  dpa schedules create Workdays '0 6-18/4 * * MON-FRI' --account Production --region eu-west-1

docs/schedules.md explains the expressions.`;

function withFields(command: Command): Command {
  return command
    .option('--account <account>', 'scan only this account, as in `dpa accounts list`')
    .option('--region <region...>', 'read only these regions and the global services')
    .option('--channel <channel>', 'chat channel for messages, such as #infra')
    .option('--webhook <id...>', 'webhook configuration to notify');
}

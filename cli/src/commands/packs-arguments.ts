import type { Command } from 'commander';
import { withConnection } from './with-connection.ts';

const ID = 'ID of the pack, as in `dpa packs list`';
const WAIT = 'wait until the pack is built; exits with 2 if that fails';

/** Adds the command `packs`; each subcommand imports the modules that it needs when it runs. */
export function declarePacks(program: Command): void {
  const packs = program.command('packs').description('Compliance Packs: the evidence of a period for auditors');

  withConnection(packs.command('list'))
    .description('list packs, newest first')
    .action(async (options) => (await import('./packs.ts')).listPacks(options));

  withConnection(packs.command('create'))
    .description('request a pack; needs the login of an owner or admin')
    .argument('<start>', 'start of the period in UTC, such as 2026-01-01')
    .argument('<end>', 'end of the period in UTC, not part of it')
    .option('--wait', WAIT)
    .action(async (start, end, options) => (await import('./packs.ts')).createPack(start, end, options));

  withConnection(packs.command('get'))
    .description('show a pack')
    .argument('<pack>', ID)
    .option('--wait', WAIT)
    .action(async (id, options) => (await import('./packs.ts')).getPack(id, options));

  withConnection(packs.command('download'))
    .description('download a pack and compare it with its checksum; needs the login of an owner or admin')
    .argument('<pack>', ID)
    .option('--output <file>', 'file to write, which must not exist; default: the name that the service gives')
    .action(async (id, options) => (await import('./packs-download.ts')).downloadPack(id, options));

  withConnection(packs.command('delete'))
    .description('delete a pack and its file, or cancel its build; needs the login of an owner or admin')
    .argument('<pack>', ID)
    .action(async (id, options) => (await import('./packs.ts')).deletePack(id, options));
}

import { type Command, Option } from 'commander';
import { withConnection } from './with-connection.ts';

const KINDS = ['gcs', 's3', 'azure_blob', 'tfc', 'upload'];
const SOURCE = 'source as in the list, or its ID';
const CONFIG_HELP = `
The file has the keys of the kind, as docs/state-sources.md lists them:
  s3          {"bucket": "…", "key": "…", "region": "…"}
  gcs         {"bucket": "…", "object": "…"}
  azure_blob  {"account": "…", "container": "…", "blob": "…"}
  tfc         {"workspace": "organization/workspace", "token": "…"}, and "endpoint" for a Terraform Enterprise`;

/** Adds `sources` and `globs` to the command `state`; each subcommand imports the modules that it needs when it runs. */
export function declareStateSources(state: Command): void {
  const sources = state.command('sources').description('states that the service reads');

  withConnection(sources.command('list'))
    .description('list state sources, by name')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(KINDS))
    .action(async (options) => (await import('./state-sources.ts')).listSources(options));

  withConnection(sources.command('add'))
    .description('register where a state is stored; requires the role member')
    .argument('<name>', 'name for people')
    .addOption(new Option('--kind <kind>', 'where the state is stored').choices(KINDS).makeOptionMandatory())
    .option('--config <file>', 'JSON file with the location, or - for standard input; not for upload')
    .option('--account <id>', 'ID of the cloud account that reads the bucket; default: the only one of its cloud')
    .addHelpText('after', CONFIG_HELP)
    .action(async (name, options) => (await import('./state-sources.ts')).addSource(name, options));

  withConnection(sources.command('refresh'))
    .description('fetch states now; exits with 2 if one of them could not be fetched or read completely')
    .argument('<source...>', SOURCE)
    .action(async (names, options) => (await import('./state-sources.ts')).refreshSources(names, options));

  withConnection(sources.command('upload'))
    .description('upload a state to a source of kind upload')
    .argument('<source>', SOURCE)
    .argument(
      '<state>',
      'state file from `terraform state pull`, or the output of `terraform show -json`; - reads standard input',
    )
    .action(async (name, state, options) => (await import('./state-sources.ts')).uploadState(name, state, options));

  withConnection(sources.command('remove'))
    .description('delete state sources and their copies; the states themselves are not touched')
    .argument('<source...>', SOURCE)
    .action(async (names, options) => (await import('./state-sources.ts')).removeSources(names, options));

  declareGlobs(state);
}

function declareGlobs(state: Command): void {
  const globs = state.command('globs').description('prefixes of buckets whose states are all registered');

  withConnection(globs.command('list'))
    .description('list globs')
    .action(async (options) => (await import('./state-globs.ts')).listGlobs(options));

  withConnection(globs.command('add'))
    .description('register every state below a prefix; all or none')
    .argument('<name>', 'name for people')
    .argument('<address>', 's3://bucket/prefix, gs://bucket/prefix or azure://account/container/prefix')
    .requiredOption('--account <id>', 'ID of the cloud account that lists and reads the bucket')
    .option('--region <region>', 'region of an S3 bucket')
    .option('--preview', 'only show how many states would be registered')
    .action(async (name, address, options) => (await import('./state-globs.ts')).addGlob(name, address, options));

  withConnection(globs.command('rescan'))
    .description('register the states that are new below the prefix')
    .argument('<glob>', 'glob as in the list, or its ID')
    .action(async (name, options) => (await import('./state-globs.ts')).rescanGlob(name, options));

  withConnection(globs.command('refresh'))
    .description('fetch all states of a glob in the background')
    .argument('<glob>', 'glob as in the list, or its ID')
    .action(async (name, options) => (await import('./state-globs.ts')).refreshGlob(name, options));

  withConnection(globs.command('remove'))
    .description('delete a glob and the sources that it registered')
    .argument('<glob>', 'glob as in the list, or its ID')
    .action(async (name, options) => (await import('./state-globs.ts')).removeGlob(name, options));
}

import { type Command, Option } from 'commander';

/** What each scope permits; see `x-access` of each operation in openapi.yaml. */
const SCOPES = [
  ['read', 'every scope below that ends in :read'],
  ['write', 'every scope below'],
  ['analysis:write', 'submit plans, request fixes, read the rules that plans are evaluated with'],
  ['analysis:read', 'read results of jobs, and recurring noise patterns'],
  ['scans:read', 'list scans and analyses, and read their stored results and drift'],
  ['scans:write', 'start and cancel scans, compute drift'],
  ['rules:read', 'read rules, the risk policy and suppressions; test rules'],
  ['rules:write', 'change rules, the risk policy and suppressions'],
  ['org:read', 'read the organization, its members, limits and usage'],
  ['settings:read', 'read settings, API keys (without their secrets), webhooks and model accounts'],
  ['settings:write', 'change webhooks and model accounts'],
  ['traces:read', 'read traces of language model calls'],
  ['inventory:read', 'read cloud accounts without their credentials, live resources, and what was not checked'],
  ['inventory:write', 'add, change, validate and delete cloud accounts'],
  ['state:read', 'read state sources with their configuration, and their globs'],
  ['state:write', 'add, fetch, upload and delete state sources and globs'],
  ['schedules:read', 'read schedules'],
  ['schedules:write', 'create, change, run and delete schedules'],
  ['audit:read', 'list and download Compliance Packs'],
] as const;

const KEYS_HELP = `
What each scope permits:
${SCOPES.map(([scope, permits]) => `  ${scope.length > 15 ? `${scope}\n${' '.repeat(18)}` : scope.padEnd(16)}${permits}`).join('\n')}

A key belongs to one organization. A request needs the scope of the key and the current role of the user who created it; a
key has no role of its own. A CI job needs analysis:write and analysis:read. To create keys, you need the login of a user
and the role owner or admin.`;

/** Adds the commands `org`, `token` and `keys`; each imports the modules that it needs when it runs. */
export function declareFirstSteps(program: Command): { keys: Command } {
  declareOrg(program.command('org').description('create and list organizations, show and change settings'));
  const keys = program.command('keys').description('manage API keys of an organization and master keys of the service');
  declareKeys(keys);

  withOrgOptions(program.command('token'))
    .description('print the access token or API key that the commands use, renewed if needed')
    .addHelpText(
      'after',
      `
For curl: -H "Authorization: Bearer $(dpa token)", or -H "x-api-key: $(dpa token)" if it is an API key (dpa_…).`,
    )
    .action(async (options) => (await import('./token.ts')).printToken(options));
  return { keys };
}

function declareOrg(org: Command): void {
  withServiceOption(org.command('create'))
    .description('create an organization; you become its owner')
    .argument('<slug>', '3 to 40 lowercase letters, digits and hyphens; cannot be changed later')
    .option('--name <name>', 'display name; default: the slug')
    .addOption(createFormatOption())
    .action(async (slug, options) => (await import('./org.ts')).createOrg(slug, options));

  withServiceOption(org.command('list'))
    .description('list the organizations that you are a member of')
    .addOption(createFormatOption())
    .action(async (options) => (await import('./org.ts')).listOrgs(options));

  withOrgOptions(org.command('settings'))
    .description('show the settings for pull requests, or change them; changing requires the role owner or admin')
    .addOption(
      new Option('--pr-fail-on <level>', 'lowest level that fails the check of a pull request').choices([
        'never',
        'none',
        'low',
        'medium',
        'high',
        'critical',
      ]),
    )
    .addOption(
      new Option('--fork-pr-policy <policy>', 'how pull requests from forks are handled').choices([
        'comment',
        'analyze_only',
        'ignore',
      ]),
    )
    .addOption(new Option('--pr-comment-mode <mode>', 'how comments are written').choices(['upsert', 'new', 'off']))
    .addOption(
      new Option('--count-llm-concerns <yes|no>', 'whether concerns of a language model can fail checks').choices([
        'yes',
        'no',
      ]),
    )
    .addOption(createFormatOption())
    .action(async (options) => (await import('./org.ts')).showOrgSettings(options));
}

function declareKeys(keys: Command): void {
  withOrgOptions(keys.command('create'))
    .description('create an API key and print it; it is shown only once')
    .requiredOption('--name <name>', 'what the key is for')
    .option(
      '--scope <scope>',
      'permission of the key, see below; repeatable; default: the scopes that a CI job needs',
      appendValue,
    )
    .option('--expires <when>', 'number of days such as 90d, a date, or never; at most 366 days', '90d')
    .addOption(createFormatOption())
    .addHelpText('after', KEYS_HELP)
    .action(async (options) => (await import('./keys.ts')).createKey(options));

  withOrgOptions(keys.command('list'))
    .description('list the API keys of the organization, newest first')
    .option('--all', 'include revoked keys')
    .addOption(createFormatOption())
    .addHelpText('after', KEYS_HELP)
    .action(async (options) => (await import('./keys.ts')).listKeys(options));
}

function appendValue(text: string, before: string[] = []): string[] {
  return [...before, text];
}

function withOrgOptions(command: Command): Command {
  return withServiceOption(command.option('--org <org>', 'slug or ID of the organization (DPA_ORG)'));
}

function withServiceOption(command: Command): Command {
  return command.option('--url <url>', 'address of the service (DPA_URL)');
}

function createFormatOption(): Option {
  return new Option('--format <format>', 'output format').choices(['text', 'json']).default('text');
}

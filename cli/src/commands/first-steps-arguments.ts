import { type Command, Option } from 'commander';

/** What each scope permits; `x-access` in openapi.yaml says it operation by operation. */
const SCOPES = [
  ['read', 'everything below that ends in :read'],
  ['write', 'everything below'],
  ['analysis:write', 'submit plans, ask for fixes, read the rules that plans are judged by'],
  ['analysis:read', 'read the results of jobs, and recurring patterns'],
  ['scans:read', 'list analyses, and read their stored results'],
  ['rules:read', 'read rules, the risk policy and suppressions; test rules'],
  ['rules:write', 'change rules, the risk policy and suppressions'],
  ['org:read', 'read the organization, its members, limits and usage'],
  ['settings:read', 'read settings, API keys without their secret, webhooks and model accounts'],
  ['settings:write', 'change webhooks and model accounts'],
  ['traces:read', 'read calls of language models'],
  ['scans:write, schedules:*, state:*, inventory:*, audit:read', 'nothing yet: no operation asks for them'],
] as const;

const KEYS_HELP = `
Scopes, and what each permits:
${SCOPES.map(([scope, permits]) => `  ${scope.length > 14 ? `${scope}\n${' '.repeat(18)}` : scope.padEnd(16)}${permits}`).join('\n')}

A key belongs to one organization and does what its scopes permit and the role of its maker still allows; it has no role of
its own. A CI job needs analysis:write and analysis:read. Creating keys takes a person's login and the role owner or admin.`;

/** Adds `org`, `token` and `keys`. Loads nothing of them: each command imports what it needs when it runs. */
export function declareFirstSteps(program: Command): { keys: Command } {
  declareOrg(program.command('org').description('organizations: create, list, settings'));
  const keys = program.command('keys').description('API keys of an organization, and the master keys of the service');
  declareKeys(keys);

  withOrgOptions(program.command('token'))
    .description('print the access token or API key that commands use, renewed if needed')
    .addHelpText(
      'after',
      `
For curl: -H "Authorization: Bearer $(dpa token)", or -H "x-api-key: $(dpa token)" where it is an API key (dpa_…).`,
    )
    .action(async (options) => (await import('./token.ts')).printToken(options));
  return { keys };
}

function declareOrg(org: Command): void {
  withServiceOption(org.command('create'))
    .description('create an organization; you become its owner')
    .argument('<slug>', '3 to 40 lower-case letters, digits and hyphens; it never changes')
    .option('--name <name>', 'display name; the slug unless given')
    .addOption(createFormatOption())
    .action(async (slug, options) => (await import('./org.ts')).createOrg(slug, options));

  withServiceOption(org.command('list'))
    .description('list the organizations that you belong to')
    .addOption(createFormatOption())
    .action(async (options) => (await import('./org.ts')).listOrgs(options));

  withOrgOptions(org.command('settings'))
    .description('show the settings for pull requests, or change those that are given; changing takes owner or admin')
    .addOption(
      new Option('--pr-fail-on <level>', 'least level that fails the check of a pull request').choices([
        'never',
        'none',
        'low',
        'medium',
        'high',
        'critical',
      ]),
    )
    .addOption(
      new Option('--fork-pr-policy <policy>', 'what a pull request from a fork gets').choices([
        'comment',
        'analyze_only',
        'ignore',
      ]),
    )
    .addOption(new Option('--pr-comment-mode <mode>', 'how comments are written').choices(['upsert', 'new', 'off']))
    .addOption(createFormatOption())
    .action(async (options) => (await import('./org.ts')).showOrgSettings(options));
}

function declareKeys(keys: Command): void {
  withOrgOptions(keys.command('create'))
    .description('create an API key and print it, this once')
    .requiredOption('--name <name>', 'what the key is for')
    .option(
      '--scope <scope>',
      'what the key may do, see below; repeatable; unless given, what a CI job needs',
      appendValue,
    )
    .option('--expires <when>', 'days such as 90d, a date, or never; at most 366 days ahead', '90d')
    .addOption(createFormatOption())
    .addHelpText('after', KEYS_HELP)
    .action(async (options) => (await import('./keys.ts')).createKey(options));

  withOrgOptions(keys.command('list'))
    .description('list the API keys of the organization, newest first')
    .option('--all', 'also those that were revoked')
    .addOption(createFormatOption())
    .addHelpText('after', KEYS_HELP)
    .action(async (options) => (await import('./keys.ts')).listKeys(options));
}

function appendValue(text: string, before: string[] = []): string[] {
  return [...before, text];
}

function withOrgOptions(command: Command): Command {
  return withServiceOption(command.option('--org <org>', 'slug or id of the organization (DPA_ORG)'));
}

function withServiceOption(command: Command): Command {
  return command.option('--url <url>', 'where the service is (DPA_URL)');
}

function createFormatOption(): Option {
  return new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text');
}

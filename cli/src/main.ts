import { Command, InvalidArgumentError, Option } from 'commander';
import { declareFirstSteps } from './commands/first-steps-arguments.ts';
import { declareNoise } from './commands/noise-arguments.ts';
import { reportFailure } from './failure.ts';
import { readManifest } from './manifest.ts';
import { declareServiceCommands } from './service-commands.ts';

/** Nothing but the argument parser is loaded here: each command imports what it needs when it runs. */
const program = new Command('dpa')
  .description('Drift & Plan Analysis: what a Terraform or OpenTofu plan will really do, before it is applied.')
  .version(readManifest().version, '-V, --version')
  .showHelpAfterError('(dpa --help lists the commands)');

program
  .command('analyze')
  .description('judge plans on this machine: no server, no network')
  .argument(
    '<plan...>',
    'JSON of a plan, made by `terraform show -json tfplan`, or a folder of such files; - reads standard input',
  )
  .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json', 'markdown']).default('text'))
  .addOption(
    new Option('--fail-on <level>', 'exit with 2 at this risk or above').choices(['low', 'medium', 'high', 'critical']),
  )
  .option('--top <n>', 'how many changes each part of text and markdown shows', parseWholeNumber, 20)
  .option('--report <file>', 'write the result to a file as well, .json or .md; repeatable', appendValue, [])
  .option('--rules <file>', 'rules of your own and a risk policy, YAML or JSON, see docs/rules.md')
  .option('--repo <owner/name>', 'repository of the plan, for rules that ask for it; in CI it is known')
  .option('--branch <name>', 'branch of the plan, for rules that ask for it; in CI it is known')
  .action(async (plans, options) => (await import('./commands/analyze.ts')).analyze(plans, options));

program
  .command('pr-preview')
  .description('print the comment that a pull request with these plans would get: no server, no network')
  .argument('<plan...>', 'JSON of a plan, made by `terraform show -json tfplan`; one for each root module')
  .option(
    '--previous <plan>',
    'plan of the push before, to compare with; repeatable, in the order of the plans',
    appendValue,
    [],
  )
  .option('--gitlab', 'as a note of GitLab')
  .option('--check', 'print the check run instead, with its machine-readable result')
  .option('--html', 'as a page of its own that shows it as GitHub would')
  .addHelpText(
    'after',
    '\nExits with 3 when a file is no plan, which the comment then says; with 1 when a file cannot be read.',
  )
  .action(async (plans, options) => (await import('./commands/pr-preview.ts')).previewPullRequest(plans, options));

program
  .command('submit')
  .description('have the service judge plans, under the rules of the organization')
  .argument(
    '<plan...>',
    'JSON of a plan, made by `terraform show -json tfplan`; one for each root module; - reads standard input',
  )
  .option('--org <org>', 'slug or id of the organization (DPA_ORG)')
  .option('--url <url>', 'where the service is (DPA_URL)')
  .option('--wait', 'wait for the verdicts')
  .addOption(
    new Option('--fail-on <level>', 'wait, and exit with 2 at this risk or above').choices([
      'low',
      'medium',
      'high',
      'critical',
    ]),
  )
  .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json', 'markdown']).default('text'))
  .option('--top <n>', 'how many changes each part of text and markdown shows', parseWholeNumber, 20)
  .option('--report <file>', 'write the result to a file as well, .json or .md; repeatable', appendValue, [])
  .option('--timeout <seconds>', 'how long to wait for each verdict', parseWholeNumber, 600)
  .option('--repo <owner/name>', 'repository of the plans; in CI this and the next three are known')
  .option('--pr <n>', 'number of the pull or merge request', parseWholeNumber)
  .option('--commit <sha>', 'commit that was planned')
  .option('--branch <name>', 'branch of the plans')
  .addHelpText(
    'after',
    `
Exits with 2 when a plan reaches --fail-on or a rule of the organization blocks it, 1 when a plan was not judged. What the
service does not take for now (402, 413, 429) is judged on this machine by the rules of the organization, its policy and its
suppressions; that verdict counts, and only the text of a model is missing. Where those rules cannot be read, the plan is
not judged. The credential is DPA_TOKEN, in CI a key for the job's own token, else that of dpa login.`,
  )
  .action(async (plans, options) => (await import('./commands/submit.ts')).submit(plans, options));

program
  .command('jobs')
  .description('show one job of the service, or the newest analyses')
  .argument('[job]', 'id of a job, as `dpa submit` and the list print it')
  .option('--org <org>', 'slug or id of the organization (DPA_ORG)')
  .option('--url <url>', 'where the service is (DPA_URL)')
  .option('--wait', 'wait for the end of the job')
  .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json', 'markdown']).default('text'))
  .option('--top <n>', 'how many changes each part of text and markdown shows', parseWholeNumber, 20)
  .option('--timeout <seconds>', 'how long to wait', parseWholeNumber, 600)
  .option('--limit <n>', 'how many analyses to list', parseWholeNumber, 20)
  .option('--repo <owner/name>', 'list only those of this repository')
  .option('--pr <n>', 'list only those of this pull or merge request', parseWholeNumber)
  .action(async (job, options) => (await import('./commands/jobs.ts')).jobs(job, options));

program
  .command('login')
  .description('let the service know you: by a code that you confirm in a browser, or by an API key')
  .option('--url <url>', 'where the service is (DPA_URL)')
  .option('--org <org>', 'slug or id of the organization that commands are about (DPA_ORG)')
  .option('--issuer <url>', 'OpenID provider of the service (DPA_OIDC_ISSUER); without one an API key is asked for')
  .option('--client-id <id>', 'client of the provider that may log in by device code (DPA_OIDC_CLIENT_ID)')
  .option('--scope <scopes>', 'scopes to ask for', 'openid email profile offline_access')
  .option('--resource <uri>', 'what the access token is for, where the provider wants to be told')
  .option('--audience <text>', 'the same, for providers that call it audience')
  .option('--token-stdin', 'read an API key from standard input')
  .action(async (options) => (await import('./commands/login.ts')).login(options));

program
  .command('logout')
  .description('forget the login, and end it at its provider')
  .action(async () => (await import('./commands/login.ts')).logout());

const { keys } = declareFirstSteps(program);

declareNoise(program, parseWholeNumber);

const audit = program.command('audit').description('the tamper-evident audit log');

audit
  .command('verify')
  .description('check a dump of the audit log on this machine: no server, no network')
  .argument('<dump>', 'rows as JSON, one a line, see docs/audit-log.md; - reads standard input')
  .option(
    '--expect <chain=seq[:hash]>',
    'a head noted earlier, <org id>=<seq> or platform=<seq>, better with its hash; repeatable',
    appendValue,
  )
  .option('--anchors <file>', 'heads that the service wrote under audit-anchors/; repeatable', appendValue)
  .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'))
  .addHelpText('after', '\nExits with 0 when every chain is intact, 2 when one is not, 1 when that could not be told.')
  .action(async (dump, options) => (await import('./commands/audit-verify.ts')).verifyAuditDump(dump, options));

declareServiceCommands({ program, audit, keys }, parseWholeNumber);

// A reader that leaves early (`dpa analyze … | head`) is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

program.parseAsync().catch(reportFailure);

function appendValue(text: string, before: string[] = []): string[] {
  return [...before, text];
}

function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

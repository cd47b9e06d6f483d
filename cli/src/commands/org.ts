import type { Schemas } from '../../../sdk/src/index.ts';
import { type ConnectionOptions, openConnection, openService } from '../connection.ts';
import { Failure } from '../failure.ts';
import { type Format, print } from '../output.ts';
import { writeTable } from '../table.ts';

type Org = Schemas['Org'] | Schemas['OrgWithRole'];
type Settings = Schemas['OrgSettings'];

export interface SettingsOptions extends ConnectionOptions {
  prFailOn?: Exclude<Schemas['FailLevel'], null> | 'never';
  forkPrPolicy?: Schemas['ForkPolicy'];
  prCommentMode?: Schemas['CommentMode'];
  countLlmConcerns?: 'yes' | 'no';
  format: Format;
}

/** Creates an organization; the caller becomes its owner. */
export async function createOrg(slug: string, options: ConnectionOptions & { name?: string; format: Format }) {
  const { dpa } = await openService(options);
  const org = await dpa.orgs.create({ slug, display_name: options.name ?? slug });
  print(options, org, () => `created the organization ${org.slug} (${org.id}); you are its owner\n`);
}

/** Prints the organizations of the user. */
export async function listOrgs(options: ConnectionOptions & { format: Format }): Promise<void> {
  const { dpa } = await openService(options);
  const orgs: Org[] = [];
  for await (const org of dpa.orgs.list({ limit: 200 })) orgs.push(org);
  const rows = orgs.map((org) => [
    org.slug,
    'role' in org ? (org.role ?? '-') : '-',
    org.plan,
    org.id,
    org.display_name,
  ]);
  print(options, orgs, () =>
    rows.length === 0
      ? 'you are not a member of any organization; run `dpa org create <slug>` to create one\n'
      : writeTable(['SLUG', 'ROLE', 'PLAN', 'ID', 'NAME'], rows),
  );
}

/** Changes the given settings of an organization, then prints all of them. */
export async function showOrgSettings(options: SettingsOptions): Promise<void> {
  const { dpa, org_id } = await openConnection(options);
  const changes = toSettingsUpdate(options);
  const is_change = Object.keys(changes).length > 0;
  const settings = is_change
    ? await dpa.orgs.updateSettings({ org_id, ...changes })
    : await dpa.orgs.getSettings({ org_id });
  if (settings?.pr_comment_mode === undefined) throw new Failure('the response of the service has no settings');
  print(options, settings, () => writeSettings(settings));
}

function toSettingsUpdate(options: SettingsOptions): Schemas['OrgSettingsUpdate'] {
  const { prFailOn, forkPrPolicy, prCommentMode, countLlmConcerns } = options;
  return {
    ...(prFailOn === undefined ? {} : { pr_fail_on: prFailOn === 'never' ? null : prFailOn }),
    ...(forkPrPolicy === undefined ? {} : { fork_pr_policy: forkPrPolicy }),
    ...(prCommentMode === undefined ? {} : { pr_comment_mode: prCommentMode }),
    ...(countLlmConcerns === undefined ? {} : { count_llm_concerns: countLlmConcerns === 'yes' }),
  };
}

function writeSettings({ pr_fail_on, fork_pr_policy, pr_comment_mode, count_llm_concerns }: Settings): string {
  return writeTable(
    ['SETTING', 'VALUE', 'MEANING'],
    [
      ['pr_fail_on', pr_fail_on ?? 'never', describeFailLevel(pr_fail_on)],
      ['fork_pr_policy', fork_pr_policy, FORKS[fork_pr_policy]],
      ['pr_comment_mode', pr_comment_mode, COMMENTS[pr_comment_mode]],
      ['count_llm_concerns', count_llm_concerns ? 'yes' : 'no', describeConcerns(count_llm_concerns)],
    ],
  );
}

const FORKS: Record<Schemas['ForkPolicy'], string> = {
  comment: 'a pull request from a fork gets a comment and a check, like any other',
  analyze_only: 'a pull request from a fork is analyzed, but nothing is written to it',
  ignore: 'a pull request from a fork is not analyzed',
};

const COMMENTS: Record<Schemas['CommentMode'], string> = {
  upsert: 'one comment for each pull request, kept up to date',
  new: 'a new comment for each analysis',
  off: 'no comment; the check is still written',
};

function describeFailLevel(level: Schemas['FailLevel']): string {
  if (level === null) return 'no level fails the check; a critical plan makes it neutral';
  return level === 'none' ? 'every plan fails the check' : `plans of level ${level} and above fail the check`;
}

function describeConcerns(count: boolean): string {
  return count
    ? 'concerns of a language model can fail checks and commands'
    : 'concerns of a language model are shown, and fail nothing';
}

/** What a message says, as facts without markup. Each medium renders and escapes them in its own way. */
import { compareLevels, plural, type RiskLevel } from '../../../engine/index.ts';
import { describeHandled, type Handled } from './handled.ts';
import { findLevel, isResolved } from './thread.ts';
import type { AccountDrift, Message, MessageLine, MessageSection, TopItem } from './types.ts';

const HOUR_MS = 3_600_000;
const WHY = 'You receive this because of the notification targets of the organization';
const CHANGES: Record<TopItem['drift_type'], string> = {
  changed: 'changed outside of the code',
  missing: 'no longer exists',
  new: 'is not declared in any state',
};

/** The current state of a thread. */
export function describeThread(
  accounts: readonly AccountDrift[],
  org_slug: string,
  handled: readonly Handled[] = [],
): Message {
  const open = accounts.filter(({ status }) => status === 'open');
  const shown = open.length > 0 ? open : accounts;
  const title = composeTitle({ accounts }, shown);
  return {
    title,
    summary: `${title}: ${summarize(accounts)}`,
    facts: open.length === 0 ? [] : listFacts(open),
    sections: [...describeHandled(handled), ...shown.map((account) => describeAccount(account, accounts.length > 1))],
    link: linkTo(shown),
    footer: footer(org_slug),
  };
}

/** The line below a posted message that notifies people of one account. */
export function describeStep(account: AccountDrift): string {
  if (account.status === 'resolved') {
    return `${account.display_name}: all differences are gone after ${describeAge(account)}.`;
  }
  const { added } = account.delta;
  const what = added > 0 ? `${plural(added, 'new difference')}, ` : '';
  return `${account.display_name}: ${what}risk is now ${account.risk_level}. ${describeCounts(account)}.`;
}

export interface FailedScan {
  display_name: string;
  provider: string;
  error: string;
  url: string | null;
}

export function describeFailedScan({ display_name, provider, error, url }: FailedScan, org_slug: string): Message {
  const title = `Scan failed: ${display_name}`;
  return {
    title,
    summary: `${title} (${provider})`,
    facts: [{ label: 'Cloud', value: provider }],
    sections: [
      { heading: 'Reason', lines: [{ name: '', text: error }] },
      {
        heading: null,
        lines: [{ name: '', text: 'Known differences stay open. Further failures of this account are not reported.' }],
      },
    ],
    link: url === null ? null : { label: 'Open scan', url },
    footer: footer(org_slug),
  };
}

export interface DisabledSchedule {
  name: string;
  /** As the contract describes `Schedule.disabled_reason`. */
  reason: string;
  last_error: string | null;
}

const DISABLED_REASONS: Readonly<Record<string, string>> = {
  plan_limit: 'The plan of the organization no longer includes it.',
  account_deleted: 'Its cloud account was deleted.',
  never_matches: 'Its cron expression matches no date.',
};

export function describeDisabledSchedule({ name, reason, last_error }: DisabledSchedule, org_slug: string): Message {
  const title = `Schedule disabled: ${name}`;
  const why = DISABLED_REASONS[reason];
  const text = why ?? `Its last runs failed${last_error === null ? '' : `: ${last_error}`}`;
  return {
    title,
    summary: title,
    facts: [],
    sections: [
      { heading: 'Reason', lines: [{ name: '', text }] },
      { heading: null, lines: [{ name: '', text: 'It starts no scans until somebody enables it again.' }] },
    ],
    link: null,
    footer: footer(org_slug),
  };
}

export interface RiskyAnalysis {
  repo: string | null;
  pr_number: number | null;
  branch: string | null;
  risk_level: RiskLevel;
  url: string | null;
}

export function describeAnalysis(analysis: RiskyAnalysis, org_slug: string): Message {
  const { repo, pr_number, branch, risk_level, url } = analysis;
  const place = pr_number === null ? (repo ?? 'a plan') : `${repo ?? ''}#${pr_number}`;
  const title = `${capitalize(risk_level)} risk: ${place}`;
  return {
    title,
    summary: title,
    facts: [{ label: 'Risk', value: risk_level }, ...(branch === null ? [] : [{ label: 'Branch', value: branch }])],
    sections: [
      {
        heading: null,
        lines: [{ name: '', text: `The analysis of a plan found ${risk_level} risk. Review it before you apply it.` }],
      },
    ],
    link: url === null ? null : { label: 'Open result', url },
    footer: footer(org_slug),
  };
}

export interface ApprovedPlan {
  action: 'approved' | 'merged';
  repo: string;
  pr_number: number;
  branch: string | null;
  risk_level: RiskLevel;
  url: string | null;
}

export function describeApproval(approval: ApprovedPlan, org_slug: string): Message {
  const { action, repo, pr_number, branch, risk_level, url } = approval;
  const title = `${capitalize(action)} despite ${risk_level} risk: ${repo}#${pr_number}`;
  const advice = action === 'merged' ? 'Check the plan before it is applied.' : 'Check the plan before you merge it.';
  const text = `The pull request was ${action} although the analysis of its plans found ${risk_level} risk. ${advice}`;
  return {
    title,
    summary: title,
    facts: [{ label: 'Risk', value: risk_level }, ...(branch === null ? [] : [{ label: 'Branch', value: branch }])],
    sections: [{ heading: null, lines: [{ name: '', text }] }],
    link: url === null ? null : { label: 'Open result', url },
    footer: footer(org_slug),
  };
}

export function describeTest(org_slug: string): Message {
  const title = 'Test message';
  return {
    title,
    summary: `${title} of ${org_slug}`,
    facts: [],
    sections: [{ heading: null, lines: [{ name: '', text: 'This target receives notifications.' }] }],
    link: null,
    footer: footer(org_slug),
  };
}

function composeTitle(thread: { accounts: readonly AccountDrift[] }, shown: readonly AccountDrift[]): string {
  const [first, ...others] = shown;
  const where = others.length === 0 ? (first?.display_name ?? '') : plural(shown.length, 'account');
  return `${isResolved(thread) ? 'Drift resolved' : 'Drift detected'}: ${where}`;
}

function summarize(accounts: readonly AccountDrift[]): string {
  const open = accounts.filter(({ status }) => status === 'open');
  if (open.length === 0) return 'all differences are gone';
  return `${findLevel({ accounts: open })} risk, ${plural(countAll(open), 'difference')}`;
}

function listFacts(open: readonly AccountDrift[]): Message['facts'] {
  const sum = (kind: keyof AccountDrift['counts']) => open.reduce((total, { counts }) => total + counts[kind], 0);
  const [only, ...others] = open;
  return [
    { label: 'Risk', value: findLevel({ accounts: open }) },
    { label: 'New / changed / missing', value: `${sum('new')} / ${sum('changed')} / ${sum('missing')}` },
    ...(only !== undefined && others.length === 0
      ? [
          { label: 'Coverage', value: `${only.coverage_pct} %` },
          { label: 'Cloud', value: only.provider },
        ]
      : [{ label: 'Accounts', value: String(open.length) }]),
  ];
}

function describeAccount(account: AccountDrift, has_others: boolean): MessageSection {
  const heading = has_others ? account.display_name : null;
  if (account.status === 'resolved') {
    return { heading, lines: [{ name: '', text: `All differences are gone after ${describeAge(account)}.` }] };
  }
  const lines = [...account.top_items]
    .sort((a, b) => compareLevels(b.risk_level, a.risk_level))
    .map((item): MessageLine => ({ name: nameItem(item), text: `${CHANGES[item.drift_type]}, ${item.risk_level}` }));
  const hidden = countAll([account]) - lines.length;
  const rest = hidden > 0 ? [{ name: '', text: `and ${hidden} more` }] : [];
  return { heading, lines: [...lines, ...rest] };
}

function nameItem({ resource_address, resource_type, name }: TopItem): string {
  return resource_address ?? [resource_type, name].filter((part) => part !== null).join(' ');
}

function describeCounts({ counts }: AccountDrift): string {
  const shown = [`${counts.new} new`, `${counts.changed} changed`, `${counts.missing} missing`];
  return shown.join(', ');
}

function countAll(accounts: readonly AccountDrift[]): number {
  return accounts.reduce((total, { counts }) => total + counts.new + counts.changed + counts.missing, 0);
}

/** `3 days 4 hours`. */
function describeAge({ opened_at, resolved_at }: AccountDrift): string {
  const hours = Math.floor((Date.parse(resolved_at ?? opened_at) - Date.parse(opened_at)) / HOUR_MS);
  const days = Math.floor(hours / 24);
  if (hours < 1) return 'less than an hour';
  const parts = [days > 0 ? plural(days, 'day') : '', hours % 24 > 0 ? plural(hours % 24, 'hour') : ''];
  return parts.filter((part) => part !== '').join(' ');
}

function linkTo(shown: readonly AccountDrift[]): Message['link'] {
  const url = shown.find((account) => account.url !== null)?.url;
  return url === undefined || url === null ? null : { label: 'Open report', url };
}

function footer(org_slug: string): string {
  return `${WHY} ${org_slug}.`;
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

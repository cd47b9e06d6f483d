/** Small cards below links of the service. Whoever reads the channel sees them, so they say little. */
import { inert, type Markdown, markdown, showCode, showTime } from '../../lib/slack-text.ts';
import type { DriftCard, PackCard, RunCard } from './cards-store.ts';

const LONGEST_NAME = 100;
const STATUS: Readonly<Record<PackCard['status'], string>> = {
  pending: 'waiting',
  running: 'running',
  done: 'done',
  error: 'failed',
  expired: 'expired',
};

export interface Card {
  blocks: ({ type: 'section'; text: Markdown } | { type: 'context'; elements: Markdown[] })[];
}

export function renderRunCard(run: RunCard): Card {
  const { kind, status, risk_level, created_at } = run;
  const result = status === 'done' && risk_level !== null ? `${risk_level} risk` : STATUS[status];
  return kind === 'cloud'
    ? card(`*Scan*: ${result}`, created_at)
    : card(`*Plan of ${describePlace(run)}*: ${result}`, created_at);
}

export function renderDriftCard(drift: DriftCard): Card {
  const { display_name, provider, risk_level, coverage_pct, changed_count, missing_count, extra_count } = drift;
  const counts = `${changed_count} changed, ${missing_count} missing, ${extra_count} not declared`;
  const where = `${showCode(display_name, LONGEST_NAME)} (${inert(provider, LONGEST_NAME)})`;
  return card(`*Drift of ${where}*: ${risk_level} risk\n${counts}, coverage ${coverage_pct} %`, drift.created_at);
}

export function renderPackCard({ status, period_start, period_end, created_at }: PackCard): Card {
  return card(`*Compliance Pack* ${day(period_start)} to ${day(period_end)}: ${STATUS[status]}`, created_at);
}

function describePlace({ repo_owner, repo_name, pr_number, branch }: RunCard): string {
  if (repo_name === null) return branch === null ? 'an analysis' : showCode(branch, LONGEST_NAME);
  const repo = repo_owner === null ? repo_name : `${repo_owner}/${repo_name}`;
  const place = pr_number === null ? '' : `#${pr_number}`;
  return showCode(`${repo}${place}`, LONGEST_NAME);
}

function card(text: string, at: Date): Card {
  const when = showTime(at.toISOString());
  return {
    blocks: [
      { type: 'section', text: markdown(text) },
      { type: 'context', elements: [markdown(when)] },
    ],
  };
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10);
}

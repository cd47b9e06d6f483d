/** The labeled set: `npm run score -- test/score` writes it to its own folder and evaluates it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { selectRoutine } from './routine.ts';
import { AWS_DATA_SCENARIOS } from './scenarios/aws-data.ts';
import { AWS_REACH_SCENARIOS } from './scenarios/aws-reach.ts';
import { AWS_WORK_SCENARIOS } from './scenarios/aws-work.ts';
import { CLOUD_SCENARIOS } from './scenarios/clouds.ts';
import { OTHER_SCENARIOS } from './scenarios/others.ts';
import type { Scenario } from './types.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...AWS_DATA_SCENARIOS,
  ...AWS_REACH_SCENARIOS,
  ...AWS_WORK_SCENARIOS,
  ...CLOUD_SCENARIOS,
  ...OTHER_SCENARIOS,
];

const COLUMNS = ['file', 'expected', 'acceptable', 'reason', 'key_addresses', 'noise_expected', 'secrets'];

/** Writes one plan file per scenario, and LABELS.tsv. */
export function writePlans(folder: string): void {
  const rows = SCENARIOS.map((scenario) => {
    writeFileSync(join(folder, `${scenario.file}.json`), renderPlan(scenario));
    return toRow(scenario).join('\t');
  });
  writeFileSync(join(folder, 'LABELS.tsv'), `${[COLUMNS.join('\t'), ...rows].join('\n')}\n`);
}

/** The plan of a scenario in the format of `terraform show -json`, with important changes among routine ones. */
function renderPlan({ changes, beside, more }: Scenario): string {
  const routine = beside === undefined ? [] : selectRoutine(...beside);
  const half = Math.ceil(routine.length / 2);
  const plan = {
    format_version: '1.2',
    terraform_version: '1.11.4',
    resource_changes: [...routine.slice(0, half), ...changes, ...routine.slice(half)],
    timestamp: '2026-02-03T04:05:06Z',
    applyable: true,
    complete: true,
    errored: false,
    ...more,
  };
  return JSON.stringify(plan);
}

function toRow({ file, expected, acceptable = expected, why, keys, noise, secrets }: Scenario): string[] {
  const formatPairs = (labels: Record<string, string> = {}) =>
    Object.entries(labels)
      .map(([address, value]) => `${address}=${value}`)
      .join(';');
  return [`${file}.json`, expected, acceptable, why, formatPairs(keys), formatPairs(noise), (secrets ?? []).join(';')];
}

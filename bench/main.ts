/** `npm run bench [-- P1 H2 …]`: measures each figure and its limit in the same run, and prints both. */
import { cpus, loadavg } from 'node:os';
import type { BenchRow } from './lib/row.ts';

const SUITES: { ids: string[]; load: () => Promise<() => Promise<BenchRow[]>> }[] = [
  { ids: ['P1', 'P2', 'P3', 'P4', 'P5', 'P6'], load: async () => (await import('./plan/plan-bench.ts')).benchPlan },
  { ids: ['P7', 'P8'], load: async () => (await import('./plan/rule-bench.ts')).benchRules },
  { ids: ['P9'], load: async () => (await import('./plan/hostile-texts.ts')).benchHostileTexts },
  { ids: ['P10'], load: async () => (await import('./plan/hostile-answers.ts')).benchHostileAnswers },
  { ids: ['P11'], load: async () => (await import('./plan/hostile-shapes/index.ts')).benchHostileShapes },
  { ids: ['P12'], load: async () => (await import('./plan/helm-releases.ts')).benchHelmReleases },
  { ids: ['S1', 'S2'], load: async () => (await import('./state/state-bench.ts')).benchState },
  { ids: ['D1'], load: async () => (await import('./drift/drift-bench.ts')).benchDrift },
  { ids: ['D2'], load: async () => (await import('./drift/join-bench.ts')).benchDriftJoin },
  { ids: ['D4'], load: async () => (await import('./drift/snapshot-memory.ts')).benchDriftMemory },
  { ids: ['D5'], load: async () => (await import('./drift/snapshot-bench.ts')).benchDriftSnapshot },
  { ids: ['D3'], load: async () => (await import('./service/drift-lists.ts')).benchDriftLists },
  { ids: ['V1'], load: async () => (await import('./plan/review.ts')).benchReview },
  { ids: ['W1'], load: async () => (await import('./pull-requests/latency.ts')).benchPullRequests },
  { ids: ['M1', 'M2'], load: async () => (await import('./service/llm-stage.ts')).benchLlmStage },
  { ids: ['H1', 'H2'], load: async () => (await import('./service/http-bench.ts')).benchHttp },
  { ids: ['H4'], load: async () => (await import('./service/http-overhead.ts')).benchOverhead },
  { ids: ['C1', 'C2'], load: async () => (await import('./service/cold-start.ts')).benchColdStart },
  { ids: ['R1', 'R2'], load: async () => (await import('./service/row-security.ts')).benchRowSecurity },
  { ids: ['A1', 'A2', 'A3'], load: async () => (await import('./audit/audit-append.ts')).benchAuditAppend },
  { ids: ['A4', 'L1', 'L2'], load: async () => (await import('./audit/audit-read.ts')).benchAuditRead },
  { ids: ['N1', 'N2', 'N3'], load: async () => (await import('./service/noise-patterns.ts')).benchNoise },
  {
    ids: ['E1', 'E2', 'E3'],
    load: async () => (await import('./service/inventory-lists.ts')).benchInventoryLists,
  },
  { ids: ['G1'], load: async () => (await import('./service/glob-rescan.ts')).benchGlobRescan },
  { ids: ['I1'], load: async () => (await import('./scans/inventory-write.ts')).benchInventoryWrite },
  { ids: ['I2'], load: async () => (await import('./scans/throttle-storm.ts')).benchThrottleStorm },
  { ids: ['I3'], load: async () => (await import('./scans/scan-kills.ts')).benchScanKills },
  { ids: ['F1'], load: async () => (await import('./schedules/firing.ts')).benchFiring },
  { ids: ['F2', 'F3'], load: async () => (await import('./schedules/fairness.ts')).benchFairness },
  { ids: ['F4'], load: async () => (await import('./schedules/soak.ts')).benchSoak },
  { ids: ['K3'], load: async () => (await import('./service/first-message.ts')).benchFirstMessage },
  { ids: ['Z1'], load: async () => (await import('./packs/pack-bench.ts')).benchPacks },
  { ids: ['K1', 'K2'], load: async () => (await import('./service/slack-acknowledgment.ts')).benchSlackAcknowledgment },
  { ids: ['Q1'], load: async () => (await import('./service/queue.ts')).benchQueue },
];

const selected = process.argv.slice(2);
const rows: BenchRow[] = [];
console.log(
  `node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, load ${loadavg()[0]?.toFixed(1)}`,
);
for (const suite of SUITES) {
  if (selected.length > 0 && !suite.ids.some((id) => selected.includes(id))) continue;
  const bench = await suite.load();
  const measured = (await bench()).filter((row) => selected.length === 0 || selected.includes(row.id));
  for (const row of measured) console.log(describe(row));
  rows.push(...measured);
}
const missed = rows.filter((row) => !row.passed);
console.log(missed.length === 0 ? 'every goal reached' : `missed: ${missed.map((row) => row.id).join(', ')}`);
process.exitCode = missed.length === 0 ? 0 : 1;

function describe({ id, what, measured, unit, limit, goal, passed, note }: BenchRow): string {
  const figure =
    unit === 'ratio' ? `${measured.toFixed(2)} ×` : `${measured.toFixed(1)} ${unit} (limit ${limit.toFixed(1)})`;
  return `${passed ? 'ok  ' : 'MISS'} ${id.padEnd(3)} ${what}: ${figure}; goal ${goal}${note === undefined ? '' : `; ${note}`}`;
}

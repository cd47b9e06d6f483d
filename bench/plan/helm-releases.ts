import { documentParsers } from '../../engine/documents/index.ts';
import { analyzePlan } from '../../engine/index.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { measureCpuMs } from '../lib/time.ts';

const RELEASES = 500;
const LINES = 2_000;
const LIMIT = 3;

/** P12: a plan with 500 Helm releases of 2,000 lines of values, compared with parsing its JSON and its YAML. */
export async function benchHelmReleases(): Promise<BenchRow[]> {
  const changes = Array.from({ length: RELEASES }, (_, release) => buildChange(release));
  const bytes = buildPlan(changes);
  analyze(buildPlan(changes.slice(0, 1)));
  const theirs = measureCpuMs(() => parseAll(bytes));
  const ours = measureCpuMs(() => analyze(bytes));
  return [
    toRatioRow({
      id: 'P12',
      what: `${RELEASES} Helm releases of ${LINES.toLocaleString('en-US')} lines of values`,
      ratio: ours / theirs,
      limit: LIMIT,
      comparison: 'parsing their JSON and YAML',
      note: `${(bytes.length / 1e6).toFixed(0)} MB, ${(ours / 1000).toFixed(1)} s against ${(theirs / 1000).toFixed(1)} s CPU`,
    }),
  ];
}

type ReleaseChange = ReturnType<typeof buildChange>;

function buildPlan(changes: readonly ReleaseChange[]): Buffer {
  return Buffer.from(JSON.stringify({ format_version: '1.2', resource_changes: changes }));
}

function analyze(bytes: Buffer): void {
  analyzePlan(bytes, { parsers: () => documentParsers });
}

function parseAll(bytes: Buffer): void {
  const { resource_changes } = JSON.parse(bytes.toString()) as { resource_changes: ReleaseChange[] };
  for (const { change } of resource_changes) {
    for (const side of [change.before, change.after]) for (const text of side.values) documentParsers.parseYaml(text);
  }
}

function buildChange(release: number) {
  const buildSide = (is_new: boolean) => ({
    ...{ name: `app-${release}`, chart: 'app', version: '1.0.0', namespace: 'apps', atomic: true, timeout: 300 },
    values: [buildValues(release, is_new)],
  });
  return {
    ...{ address: `helm_release.app[${release}]`, mode: 'managed', type: 'helm_release', name: 'app', index: release },
    provider_name: 'registry.terraform.io/hashicorp/helm',
    change: { actions: ['update'], before: buildSide(false), after: buildSide(true) },
  };
}

/** Values of many services; another image, and other limits of each fiftieth service. */
function buildValues(release: number, is_new: boolean): string {
  const lines = ['replicaCount: 3', 'image:', `  tag: "1.${release}.${is_new ? 1 : 0}"`, 'services:'];
  for (let service = 0; lines.length < LINES; service += 1) {
    const cpu = 100 + (is_new && service % 50 === 0 ? 50 : 0);
    lines.push(`  svc-${service}:`, '    enabled: true', `    port: ${8000 + (service % 1000)}`);
    lines.push(`    host: svc-${service}.internal.example.com`, '    resources:', '      limits:');
    lines.push(`        cpu: ${cpu}m`, '        memory: 256Mi', '    env:', '      - name: LOG_LEVEL');
    lines.push('        value: info', `      - name: URL_${service}`);
    lines.push(`        value: "https://api-${service}.example.com/v1"`);
    lines.push(`    annotations: {team: payments, tier: "${service % 3}"}`);
  }
  return `${lines.slice(0, LINES).join('\n')}\n`;
}

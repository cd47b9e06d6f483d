import { scanStatusKind } from '../scans/index.ts';
import { csvLine } from './csv.ts';
import {
  COLUMNS,
  coverageRecord,
  decisionRecord,
  type EvidenceFile,
  findingRecord,
  ruleRecord,
  scanRecord,
  sourceRecord,
} from './evidence.ts';
import * as store from './evidence-store.ts';
import { createRemediation } from './remediation.ts';
import { createFacts, type SummaryFacts } from './summary-facts.ts';
import type { EvidenceRow, PackDraft, PackEntry, PackOrg, SourceRow } from './types.ts';

const SCHEMA_VERSION = 1;

export interface EvidenceContext {
  snapshot: store.Snapshot;
  org: PackOrg;
  generated_at: Date;
  draft: PackDraft;
  signal: AbortSignal;
  describeLocation(row: SourceRow): string | null;
}

/** Writes data.json and all CSV files in one pass over the data, a batch of rows at a time. */
export async function writeEvidence(context: EvidenceContext): Promise<Omit<SummaryFacts, 'attestation'>> {
  const { snapshot, org, generated_at, draft } = context;
  const { period } = snapshot;
  const facts = createFacts();
  const remediation = createRemediation(period);
  const json = await draft.open('data.json');
  const add = <Row>(name: string, source: Source<Row>, toRecord: (row: Row) => EvidenceRow) =>
    writeSection(context, json, { name, source, toRecord });

  await json.write(`{\n${headerMembers(context)}`);
  await add('coverage_monthly', store.readCoverage(snapshot), (row) => tap(coverageRecord(row), facts.addCoverage));
  await add('findings', store.readFindings(snapshot), (row) => {
    remediation.add(row);
    facts.addFinding(row);
    return findingRecord(row);
  });
  await add('scans', store.readScans(snapshot), (row) => tap(scanRecord(row, scanStatusKind), facts.addScan));
  await add('remediation_sla', [remediation.rows()], (row) => ({ ...row }));
  await add('custom_rules', store.readCustomRules(snapshot), (row) => tap(ruleRecord(row), facts.addRule));
  await add('state_sources', store.readStateSources(snapshot), (row) => {
    const location = row.deleted_at === null ? context.describeLocation(row) : null;
    return tap(sourceRecord(row, location), facts.addSource);
  });
  for (const kind of Object.keys(store.DECISIONS) as store.DecisionKind[]) {
    await add(kind, store.readDecisions(snapshot, kind), (row) =>
      tap(decisionRecord(row), () => facts.addDecision(kind)),
    );
  }
  await json.write('\n}\n');
  await json.end();
  return facts.finish({ org, period, generated_at, remediation: remediation.rows() });
}

function headerMembers({ snapshot: { period }, org, generated_at }: EvidenceContext): string {
  const { id, slug, display_name, plan } = org;
  const { period_start, period_end } = period;
  const members = {
    schema_version: SCHEMA_VERSION,
    org: { id, slug, display_name },
    period: { period_start: period_start.toISOString(), period_end: period_end.toISOString() },
    generated_at: generated_at.toISOString(),
    plan,
  };
  return Object.entries(members)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n');
}

type Source<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;

interface Section<Row> {
  name: string;
  source: Source<Row>;
  toRecord(row: Row): EvidenceRow;
}

/** Writes one member of data.json, and the CSV file of its name if there is one. */
async function writeSection<Row>(
  { draft, signal }: EvidenceContext,
  json: PackEntry,
  { name, source, toRecord }: Section<Row>,
): Promise<void> {
  const columns = name in COLUMNS ? COLUMNS[name as EvidenceFile] : null;
  const csv = columns === null ? null : await draft.open(`${name}.csv`);
  await csv?.write(csvLine(columns ?? []));
  await json.write(`,\n${JSON.stringify(name)}: [`);
  let separator = '\n';
  for await (const rows of source) {
    signal.throwIfAborted();
    const records = rows.map(toRecord);
    if (records.length === 0) continue;
    await json.write(separator + records.map((record) => JSON.stringify(record)).join(',\n'));
    separator = ',\n';
    await csv?.write(
      records.map((record) => csvLine((columns ?? []).map((column) => record[column] ?? null))).join(''),
    );
  }
  await json.write(']');
  await csv?.end();
}

function tap<T>(value: T, see: (value: T) => void): T {
  see(value);
  return value;
}

/**
 * `npm run corpus:drift -- <folder>`: checks drift on a folder with `state-to-resources/<case>/terraform.tfstate.json` and
 * the list of its resources, and `driftctl-reports/*.json`. Each state must be clean against an inventory that is made of
 * its own resources, each resource must have an outcome, and an inventory without one of them must name exactly that one.
 * Exits with 1 if not.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CloudProvider,
  createDrift,
  type DriftAccount,
  type DriftReport,
  findJoinRule,
  type LiveResource,
  listStateNames,
} from '../../engine/drift/index.ts';
import type { JsonObject } from '../../engine/index.ts';
import { createStateReader, type StateInstance, type StateValues } from '../../engine/state/index.ts';

interface Read {
  instance: StateInstance;
  values: StateValues;
}

interface Score {
  cases: number;
  managed: number;
  joined: number;
  without_rule: Set<string>;
  faults: string[];
}

const NOW = '2026-01-01T00:00:00.000Z';

function readState(path: string): Read[] {
  const found: Read[] = [];
  const reader = createStateReader({ instance: (instance, read) => found.push({ instance, values: read() }) });
  reader.write(readFileSync(path));
  reader.end();
  return found;
}

/** What the cloud shows of the groups whose rules are resources: exactly these rules. */
function showRules(reads: readonly Read[]): Map<string, Record<string, JsonObject[]>> {
  const groups = new Map<string, Record<string, JsonObject[]>>();
  for (const { instance, values } of reads) {
    const { type, security_group_id, protocol, from_port, to_port, cidr_blocks, source_security_group_id } =
      values.attributes;
    if (instance.type !== 'aws_security_group_rule' || typeof security_group_id !== 'string') continue;
    const rules = groups.get(security_group_id) ?? { SecurityGroupIngress: [], SecurityGroupEgress: [] };
    groups.set(security_group_id, rules);
    const base = { IpProtocol: protocol ?? null, FromPort: from_port ?? null, ToPort: to_port ?? null };
    const list = rules[type === 'egress' ? 'SecurityGroupEgress' : 'SecurityGroupIngress'];
    for (const CidrIp of Array.isArray(cidr_blocks) ? cidr_blocks : []) list?.push({ ...base, CidrIp });
    for (const CidrIpv6 of Array.isArray(values.attributes['ipv6_cidr_blocks'])
      ? values.attributes['ipv6_cidr_blocks']
      : [])
      list?.push({ ...base, CidrIpv6 });
    for (const id of Array.isArray(values.attributes['prefix_list_ids']) ? values.attributes['prefix_list_ids'] : [])
      list?.push({ ...base, SourcePrefixListId: id });
    if (typeof source_security_group_id === 'string')
      list?.push({ ...base, SourceSecurityGroupId: source_security_group_id });
    if (values.attributes['self'] === true) list?.push({ ...base, SourceSecurityGroupId: security_group_id });
  }
  return groups;
}

/** An inventory that has each resource of the state under its first name. */
function toInventory(reads: readonly Read[]): Map<string, LiveResource> {
  const found = new Map<string, LiveResource>();
  const groups = showRules(reads);
  for (const { instance, values } of reads) {
    const rule = instance.mode === 'managed' ? findJoinRule(instance.type) : undefined;
    const [name] = rule === undefined ? [] : listStateNames(rule, values);
    if (rule === undefined || name === undefined) continue;
    found.set(instance.address, {
      provider_type: rule.cloud_types[0] ?? '',
      provider_resource_id: name,
      aliases: [],
      region: null,
      name: null,
      tags: {},
      properties: groups.get(name) ?? null,
      is_complete: false,
    });
  }
  return found;
}

function toAccount(reads: readonly Read[]): DriftAccount {
  const provider = (reads.find(({ instance }) => instance.mode === 'managed')?.instance.provider ??
    'aws') as CloudProvider;
  const external_account_id = findOwner(reads, provider);
  const types = reads.flatMap(({ instance }) => findJoinRule(instance.type)?.cloud_types ?? []);
  const parts = [...new Set(types)].map((provider_type) => ({ region: null, provider_type }));
  return { provider, external_account_id, parts: [...parts, { region: null, provider_type: null }], unread: [] };
}

function findOwner(reads: readonly Read[], provider: CloudProvider): string {
  for (const { values } of reads) {
    const { arn, id } = values.identifiers;
    const owner =
      provider === 'aws' ? arn?.split(':')[4] : provider === 'azure' ? id?.split('/')[2] : values.attributes['project'];
    if (typeof owner === 'string' && owner !== '') return owner;
  }
  return provider === 'aws' ? '123456789012' : 'unknown';
}

function compute(reads: readonly Read[], account: DriftAccount, live: Iterable<LiveResource>): DriftReport {
  const computation = createDrift({ account, now: NOW });
  for (const { instance, values } of reads) computation.addInstance(instance, values);
  for (const resource of live) computation.addLive(resource);
  return computation.end();
}

function judgeState(name: string, path: string, score: Score): void {
  const reads = readState(path);
  const account = toAccount(reads);
  const inventory = toInventory(reads);
  const managed = reads.filter(({ instance }) => instance.mode === 'managed');
  const clean = compute(reads, account, inventory.values());
  const { matched_count, not_checked_count, outside_count, items } = clean;
  score.cases += 1;
  score.managed += managed.length;
  score.joined += matched_count;
  for (const { code, type } of clean.not_checked) if (code === 'unknown_type') score.without_rule.add(type);
  if (items.length > 0) score.faults.push(`${name}: ${items.length} false items, such as ${items[0]?.key}`);
  if (matched_count + not_checked_count + outside_count !== reads.length)
    score.faults.push(
      `${name}: ${reads.length} resources, but ${matched_count} + ${not_checked_count} + ${outside_count} outcomes`,
    );
  for (const [address, gone] of inventory) {
    const rest = [...inventory.values()].filter(
      (one) => one.provider_resource_id !== gone.provider_resource_id || one.provider_type !== gone.provider_type,
    );
    const missing = compute(reads, account, rest).items.filter(({ drift_type }) => drift_type === 'missing');
    const names = missing.map(({ resource_address }) => resource_address);
    if (!names.includes(address)) score.faults.push(`${name}: ${address} is gone, but was not reported`);
  }
  console.log(
    `  ${name.padEnd(36)} ${managed.length} managed, ${matched_count} joined, ${not_checked_count} not checked`,
  );
}

interface OtherResource {
  id: string;
  type: string;
}

interface OtherReport {
  summary: { total_resources: number; total_unmanaged: number; total_missing: number; total_managed: number };
  coverage: number;
  managed: OtherResource[] | null;
  unmanaged: OtherResource[] | null;
  missing: OtherResource[] | null;
}

/** A resource of the report as a state would hold it: its ID under every name by which a rule may look for it. */
function toRead({ id, type }: OtherResource, at: number): Read {
  const names = { id, name: id, bucket: id, user: id };
  const facts = {
    address: `${type}.r${at}`,
    module_address: null,
    mode: 'managed',
    type,
    name: `r${at}`,
    index: null,
  } as const;
  const provider = { provider: 'aws', provider_name: 'hashicorp/aws', schema_version: 0, dependencies: [] };
  return {
    instance: { ...facts, ...provider, deposed: null, tainted: false, sensitive_count: 0 },
    values: { identifiers: names, attributes: names, identity: null },
  };
}

/**
 * Asks the same question as a recorded report of another tool: a state with what it calls managed and missing, and an
 * inventory with what it calls managed and unmanaged. A resource that we do not report must have a reason.
 */
function judgeReport(name: string, path: string, score: Score): void {
  const report = JSON.parse(readFileSync(path, 'utf8')) as OtherReport;
  const { managed, unmanaged, missing, summary } = report;
  const known = (managed ?? []).map(toRead);
  const gone = (missing ?? []).map((one, at) => toRead(one, 100 + at));
  const others = (unmanaged ?? []).map((one, at) => toRead(one, 200 + at));
  const reads = [...known, ...gone];
  const account = { ...toAccount([...reads, ...others]), provider: 'aws' as const };
  const inventory = toInventory([...known, ...others]);
  const ours = compute(reads, account, inventory.values());
  const { matched_count, missing_count, extra_count, not_checked, apart_count, coverage_pct } = ours;
  console.log(`  ${name}`);
  console.log(`    managed    ${summary.total_managed}, ours ${matched_count}`);
  console.log(`    missing    ${summary.total_missing}, ours ${missing_count}`);
  console.log(`    unmanaged  ${summary.total_unmanaged}, ours ${extra_count} new, ${apart_count} listed apart`);
  console.log(`    coverage   ${report.coverage} % with missing ones, ours ${coverage_pct} % of what exists`);
  for (const { type, reason } of not_checked) console.log(`    not checked: ${type}: ${reason}`);
  const without = others.filter(({ instance }) => !inventory.has(instance.address));
  for (const { instance } of without) console.log(`    not listed by the cloud as a resource: ${instance.type}`);
  const unchecked = not_checked.length;
  if (matched_count + missing_count + unchecked !== summary.total_managed + summary.total_missing)
    score.faults.push(`${name}: a managed or missing resource has no outcome`);
  if (missing_count > summary.total_missing)
    score.faults.push(`${name}: more missing resources than the other tool has`);
  if (extra_count > summary.total_unmanaged) score.faults.push(`${name}: more new resources than the other tool has`);
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: npm run corpus:drift -- <folder>');
  process.exitCode = 1;
} else {
  const score: Score = { cases: 0, managed: 0, joined: 0, without_rule: new Set(), faults: [] };
  const states = join(folder, 'state-to-resources');
  for (const name of readdirSync(states).sort()) judgeState(name, join(states, name, 'terraform.tfstate.json'), score);
  const capture = join(folder, 'snyk-capture', 'full.tfstate.json');
  if (existsSync(capture)) judgeState('snyk-capture', capture, score);
  const reports = join(folder, 'driftctl-reports');
  for (const name of readdirSync(reports).sort()) judgeReport(name, join(reports, name), score);
  for (const fault of score.faults) console.log(`FAULT ${fault}`);
  console.log(
    `\n${score.cases} states: ${score.managed} managed, ${score.joined} joined, ${score.faults.length} faults`,
  );
  console.log(`types without a rule: ${[...score.without_rule].sort().join(', ') || 'none'}`);
  process.exitCode = score.faults.length === 0 ? 0 : 1;
}

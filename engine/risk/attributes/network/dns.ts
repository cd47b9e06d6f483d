/** R-DNS-APEX: the records on which a whole domain depends. */

const REASONS = {
  deleted: (record: string) => `Deletes the ${record}, which the whole domain depends on.`,
  changed: (record: string) => `Changes the ${record}, which the whole domain depends on.`,
  moved: (records: string) => `The record now points to ${records}.`,
};

import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { list, member, strings, text } from '../values.ts';

const DELEGATING = new Set(['NS', 'DS', 'MX']);
const APEX_RECORD_TYPES = new Set(['A', 'AAAA', 'CNAME', 'ALIAS']);
/** Second-level labels under which registries sell names. */
const SECOND_LEVEL = new Set(['ac', 'co', 'com', 'edu', 'gov', 'net', 'or', 'org']);
/** Attributes that do not affect the target of a record. */
const UNRELATED_ATTRIBUTES = new Set([
  'ttl',
  'id',
  'fqdn',
  'tags',
  'tags_all',
  'comment',
  'labels',
  'etag',
  'modified_on',
  'created_on',
  'metadata',
  'allow_overwrite',
  'timeouts',
  'proxied',
]);
const ZONE_NAMES = ['zone_id', 'zone_name', 'managed_zone'];

function judgeRecord(subject: Subject): void {
  const record = subject.mode === 'delete' ? subject.before : (subject.before ?? subject.after);
  const kind = readRecordType(subject);
  const name = text(member(record, 'name'));
  const moved = subject.mode === 'delete' ? null : movedPath(subject);
  if (moved === undefined) return;
  if (subject.mode === 'delete' && ZONE_NAMES.some((zone) => subject.facts.destroyed.has(text(member(record, zone)))))
    return;
  if (DELEGATING.has(kind) || (APEX_RECORD_TYPES.has(kind) && isApexOrWildcard(subject, name)))
    reportApex(subject, moved, kind, name);
  else if (moved && subject.type === 'aws_route53_record') reportRecord(subject, moved);
}

/** Returns the record type: an attribute, or part of the resource type (`azurerm_dns_mx_record`). */
function readRecordType({ type, before, after }: Subject): string {
  const own = /^azurerm_(?:private_)?dns_([a-z]{1,8})_record$/.exec(type)?.[1];
  return (own ?? text(member(after ?? before, 'type'))).toUpperCase();
}

/** Returns true for the apex of a zone or a wildcard in it. */
function isApexOrWildcard({ before, after }: Subject, name: string): boolean {
  const bare = name.replace(/\.$/, '');
  if (bare === '' || bare === '@' || bare === '*' || bare.startsWith('*.') || bare.startsWith('\\052.')) return true;
  const zone = text(member(after ?? before, 'managed_zone'));
  if (zone !== '' && bare.replaceAll('.', '-') === zone) return true;
  const labels = bare.split('.');
  return labels.length === 2 || (labels.length === 3 && SECOND_LEVEL.has(labels[1]!) && labels[2]!.length === 2);
}

/** Returns the path of the first changed attribute that redirects traffic; undefined when none does. */
function movedPath({ change }: Subject): (string | number)[] | undefined {
  return change.diffs.find(
    ({ path_segments, same }) => same === undefined && !UNRELATED_ATTRIBUTES.has(String(path_segments[0])),
  )?.path_segments;
}

function reportApex(subject: Subject, path: (string | number)[] | null, kind: string, name: string): void {
  const type = subject.isHidden(['type']) ? '' : `${kind} `;
  const shown = `${type}record of ${name === '' ? 'the zone itself' : subject.quoteAll(['name'], [name])}`;
  subject.add({
    rule: 'R-DNS-APEX',
    level: 'high',
    path,
    message: subject.mode === 'delete' ? REASONS.deleted(shown) : REASONS.changed(shown),
  });
  if (path) subject.setDirection(path, 'weakening');
}

/** Policies for mail are judged by what they allow. */
function isMailPolicy(record: Value): boolean {
  return /^"?v=(?:spf1|dmarc1)[\s;]/i.test(text(record));
}

function reportRecord(subject: Subject, path: (string | number)[]): void {
  if (path[0] !== 'records' || list(member(subject.after, 'records')).every(isMailPolicy)) return;
  const records = subject.quote(
    ['records'],
    list(member(subject.after, 'records')).length > 0 ? strings(member(subject.after, 'records')) : null,
  );
  subject.add({
    rule: `R-ATTR-${subject.type}.records`,
    level: 'medium',
    path: ['records'],
    message: REASONS.moved(records),
    neutral: true,
  });
}

export const DNS_RULES: readonly Rule[] = [
  {
    types: [
      'aws_route53_record',
      'google_dns_record_set',
      'azurerm_dns_*_record',
      'cloudflare_record',
      'cloudflare_dns_record',
    ],
    watches: [
      'records',
      'record',
      'alias',
      'name',
      'type',
      'rrdatas',
      'value',
      'content',
      'weighted_routing_policy',
      'failover_routing_policy',
      'target_resource_id',
    ].map((path) => ({ path })),
    modes: ['update', 'replace', 'delete'],
    find: judgeRecord,
  },
];

import { isSameArn } from '../canonical/arns.ts';
import { jobForm, policyBlocksForm, regoForm } from '../canonical/blocks.ts';
import { celForm, corefileForm, hclForm, kqlForm, sqlForm, vclForm } from '../canonical/code.ts';
import { conditionForm, logFilterForm, logPatternForm } from '../canonical/conditions.ts';
import { expressionForm, yamlForm } from '../canonical/expressions.ts';
import { isSameLink, linkForm } from '../canonical/google-links.ts';
import {
  addressForm,
  armIdForm,
  emailForm,
  endpointForm,
  hostForm,
  identifierForm,
  memberForm,
  quotedRecordForm,
  recordForm,
  regionForm,
} from '../canonical/names.ts';
import { cidrForm, portsForm, protocolForm } from '../canonical/network.ts';
import { nrqlForm } from '../canonical/nrql.ts';
import { metricQueryForm, numberForm, quantityForm } from '../canonical/quantities.ts';
import type { ResourceLocation } from '../canonical/resource-location.ts';
import { durationForm, rateForm, timeForm, windowForm, zoneForm } from '../canonical/times.ts';
import { sizeForm } from '../canonical/universal.ts';
import { asciiLower } from '../canonical/values.ts';
import type { Equivalence } from '../model/result.ts';
import type { EquivalenceHint } from './equivalences.ts';

interface TextForm {
  /** Canonical form of equivalent texts, or null if the text does not have this format. */
  write: (text: string, location: ResourceLocation) => string | null;
  same: Equivalence;
  /** For formats that need both texts: a short name and a long one. */
  compare?: (before: string, after: string, location: ResourceLocation) => boolean;
}

const FORMS: { [kind in EquivalenceHint['kind']]?: TextForm } = {
  time: { write: timeForm, same: 'time' },
  duration: { write: durationForm, same: 'time' },
  rate: { write: rateForm, same: 'time' },
  address: { write: addressForm, same: 'address' },
  cidr: { write: (text) => cidrForm(text) ?? addressForm(text), same: 'address' },
  ports: { write: portsForm, same: 'address' },
  protocol: { write: protocolForm, same: 'name' },
  host: { write: hostForm, same: 'name' },
  record: { write: (text, location) => recordForm(text, location.record_type), same: 'name' },
  quoted_record: { write: (text, location) => quotedRecordForm(text, location.record_type), same: 'name' },
  identifier: { write: identifierForm, same: 'name' },
  email: { write: emailForm, same: 'name' },
  expression: { write: expressionForm, same: 'document' },
  hcl: { write: hclForm, same: 'document' },
  policy_blocks: { write: (text) => policyBlocksForm(text) ?? hclForm(text), same: 'document' },
  job: { write: jobForm, same: 'document' },
  nrql: { write: nrqlForm, same: 'document' },
  log_filter: { write: (text) => logFilterForm(text) ?? expressionForm(text), same: 'document' },
  log_pattern: { write: logPatternForm, same: 'document' },
  policy_value: { write: (text) => text.replace(/^is:/, ''), same: 'name' },
  chart_version: { write: (text) => text.replace(/^v(?=\d)/, ''), same: 'name' },
  rego: { write: regoForm, same: 'document' },
  kql: { write: kqlForm, same: 'document' },
  vcl: { write: vclForm, same: 'document' },
  sql: { write: sqlForm, same: 'document' },
  cel: { write: (text) => conditionForm(text) ?? celForm(text), same: 'document' },
  condition: { write: conditionForm, same: 'document' },
  metric_query: { write: metricQueryForm, same: 'document' },
  number: { write: numberForm, same: 'number' },
  corefile: { write: corefileForm, same: 'document' },
  yaml: { write: yamlForm, same: 'document' },
  window: { write: windowForm, same: 'time' },
  time_zone: { write: zoneForm, same: 'name' },
  member: { write: memberForm, same: 'name' },
  endpoint: { write: endpointForm, same: 'name' },
  region: { write: regionForm, same: 'name' },
  arm_id: { write: armIdForm, same: 'name' },
  arn: { write: () => null, same: 'name', compare: isSameArn },
  link: { write: linkForm, same: 'name', compare: isSameLink },
  quantity: { write: quantityForm, same: 'number' },
  size: { write: sizeForm, same: 'number' },
};

/** The kind of equivalence of two texts under a hint, or null if not proven. */
export function findTextEquivalence(
  before: string,
  after: string,
  hint: EquivalenceHint,
  location: ResourceLocation,
): Equivalence | null {
  const form = FORMS[hint.kind];
  if (form === undefined) return null;
  if (form.compare !== undefined) return form.compare(before, after, location) ? form.same : null;
  const written = form.write(before, location);
  return written !== null && written === form.write(after, location) ? form.same : null;
}

/** Canonical form of a text; the text itself if it has none. */
export function canonicalText(text: string, hint: EquivalenceHint, location: ResourceLocation): string {
  if (hint.kind === 'case') return asciiLower(text);
  return FORMS[hint.kind]?.write(text, location) ?? text;
}

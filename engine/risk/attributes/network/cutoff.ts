/** Lists of allowed sources or of targets that become empty: no protection is lost, but the service may be cut off. */
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { isEmpty, list, member, text } from '../values.ts';

/** `keeps` selects the entries that allow something. By default, every entry does. */
interface Allowance {
  types: readonly string[];
  attribute: string;
  /** The part of an entry that is watched; without it, the whole attribute. */
  part?: string;
  phrase: string;
  keeps?: (entry: Value) => boolean;
}

const NOTHING_IN = 'No connections are allowed, so the resources behind it are cut off';

const ALLOWANCES: readonly Allowance[] = [
  { types: ['aws_security_group'], attribute: 'ingress', part: 'cidr_blocks', phrase: NOTHING_IN },
  {
    types: ['azurerm_network_security_group'],
    attribute: 'security_rule',
    part: 'access',
    phrase: NOTHING_IN,
    keeps: (entry) => isInbound(entry) && text(member(entry, 'access')).toLowerCase() === 'allow',
  },
  { types: ['google_compute_firewall'], attribute: 'source_ranges', phrase: 'The rule no longer allows any address' },
  {
    types: ['aws_iam_group_membership'],
    attribute: 'users',
    phrase: 'All users are removed from the group and lose its permissions',
  },
  {
    types: ['google_compute_backend_service'],
    attribute: 'backend',
    part: 'group',
    phrase: 'Requests have no backend to go to',
  },
];

function isInbound(entry: Value): boolean {
  return text(member(entry, 'direction')).toLowerCase() === 'inbound';
}

function judgeEmptied({ attribute, phrase, keeps }: Allowance, subject: Subject): void {
  const count = (value: Value): number => list(value).filter((entry) => !keeps || keeps(entry)).length;
  const before = member(subject.before, attribute);
  const after = member(subject.after, attribute);
  if (isEmpty(before) || count(before) === 0 || count(after) > 0 || subject.isUnknown(attribute)) return;
  // If the attribute is absent, the provider keeps the current value; only an explicit list is empty.
  if (!Array.isArray(after)) return;
  subject.add({
    rule: `R-ATTR-${subject.type}.${attribute}`,
    level: 'medium',
    path: [attribute],
    message: `${phrase}: ${attribute} changes from ${count(before)} ${count(before) === 1 ? 'entry' : 'entries'} to none.`,
    neutral: true,
  });
}

export const CUTOFF_RULES: readonly Rule[] = ALLOWANCES.map((allowance) => ({
  types: allowance.types,
  watches: [{ path: allowance.part ? `${allowance.attribute}.*.${allowance.part}` : allowance.attribute }],
  modes: ['update'],
  find: (subject) => judgeEmptied(allowance, subject),
}));

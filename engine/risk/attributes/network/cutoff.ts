/** Lists of what may come in, or where requests go, that end up empty: no protection is lost, but the service may be. */
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { isEmpty, list, member, text } from '../values.ts';

/** `keeps` says which entries let something in; without it every entry does. */
interface Allowance {
  types: readonly string[];
  attribute: string;
  /** The part of an entry that decides, so that its other parts are not watched. */
  part?: string;
  phrase: string;
  keeps?: (entry: Value) => boolean;
}

const NOTHING_IN = 'Nothing may connect any more, so whatever is behind it is cut off';

const ALLOWANCES: readonly Allowance[] = [
  { types: ['aws_security_group'], attribute: 'ingress', part: 'cidr_blocks', phrase: NOTHING_IN },
  {
    types: ['azurerm_network_security_group'],
    attribute: 'security_rule',
    part: 'access',
    phrase: NOTHING_IN,
    keeps: (entry) => isInbound(entry) && text(member(entry, 'access')).toLowerCase() === 'allow',
  },
  { types: ['google_compute_firewall'], attribute: 'source_ranges', phrase: 'The rule has no address left to let in' },
  {
    types: ['aws_iam_group_membership'],
    attribute: 'users',
    phrase: 'Everybody leaves the group and loses its rights',
  },
  {
    types: ['google_compute_backend_service'],
    attribute: 'backend',
    part: 'group',
    phrase: 'Requests have nowhere to go',
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
  // Left out of the plan's values, the provider keeps what is there; only a list that is stated is empty.
  if (!Array.isArray(after)) return;
  subject.add({
    rule: `R-ATTR-${subject.type}.${attribute}`,
    level: 'medium',
    path: [attribute],
    message: `${phrase}: ${attribute} had ${count(before)} ${count(before) === 1 ? 'entry' : 'entries'}, now none.`,
    neutral: true,
  });
}

export const CUTOFF_RULES: readonly Rule[] = ALLOWANCES.map((allowance) => ({
  types: allowance.types,
  watches: [{ path: allowance.part ? `${allowance.attribute}.*.${allowance.part}` : allowance.attribute }],
  modes: ['update'],
  find: (subject) => judgeEmptied(allowance, subject),
}));

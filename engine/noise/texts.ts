import { isSameArn } from '../canonical/arns.ts';
import { expressionForm, yamlForm } from '../canonical/expressions.ts';
import { isSameLink, linkForm } from '../canonical/google-links.ts';
import type { Home } from '../canonical/home.ts';
import {
  addressForm,
  armIdForm,
  endpointForm,
  hostForm,
  memberForm,
  recordForm,
  regionForm,
} from '../canonical/names.ts';
import { cidrForm, portsForm, protocolForm } from '../canonical/network.ts';
import { quantityForm } from '../canonical/quantities.ts';
import { durationForm, rateForm, timeForm, windowForm, zoneForm } from '../canonical/times.ts';
import { asciiLower } from '../canonical/values.ts';
import type { Equivalence } from '../result.ts';
import type { Nomination } from './equivalences.ts';

interface TextForm {
  /** The one writing of all texts that mean the same, or null where the text is not of the form. */
  write: (text: string, home: Home) => string | null;
  same: Equivalence;
  /** Where one text alone does not tell: a short name against a long one. */
  compare?: (before: string, after: string, home: Home) => boolean;
}

const FORMS: { [kind in Nomination['kind']]?: TextForm } = {
  time: { write: timeForm, same: 'time' },
  duration: { write: durationForm, same: 'time' },
  rate: { write: rateForm, same: 'time' },
  address: { write: addressForm, same: 'address' },
  cidr: { write: (text) => cidrForm(text) ?? addressForm(text), same: 'address' },
  ports: { write: portsForm, same: 'address' },
  protocol: { write: protocolForm, same: 'name' },
  host: { write: hostForm, same: 'name' },
  record: { write: (text, home) => recordForm(text, home.record_type), same: 'name' },
  expression: { write: expressionForm, same: 'document' },
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
};

/** As what two texts of a nominated form are the same, or null where nothing proves it. */
export function sameText(before: string, after: string, nomination: Nomination, home: Home): Equivalence | null {
  const form = FORMS[nomination.kind];
  if (form === undefined) return null;
  if (form.compare !== undefined) return form.compare(before, after, home) ? form.same : null;
  const written = form.write(before, home);
  return written !== null && written === form.write(after, home) ? form.same : null;
}

/** The text in the one writing of its form; itself where it has none. */
export function canonicalText(text: string, nomination: Nomination, home: Home): string {
  if (nomination.kind === 'case') return asciiLower(text);
  return FORMS[nomination.kind]?.write(text, home) ?? text;
}

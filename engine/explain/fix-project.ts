import { buildIgnoreReference, findRule, isGuarded } from '../fix/options.ts';
import type { FixOption, FixProposal, FixSubject } from '../fix/types.ts';
import { cutMiddle } from './data-text.ts';
import { MAX_NAME } from './project.ts';
import { pickSafeSides, type ShownSides } from './safe-values.ts';
import type { SendValues } from './types.ts';

const MAX_IDENTIFIER = 120;
const MAX_TEXT = 600;
const MAX_HCL = 200;
const NAMES = ['a', 'b', 'c'] as const;

export interface ShownOption {
  /** Name of the option in the answer. */
  option: string;
  kind: FixOption['kind'];
  label: string;
  summary: string;
  detail: string;
  pros: string[];
  cons: string[];
  min_provider_version?: string;
  /** Path for `ignore_changes`. */
  ignores?: string;
  /** HCL of the option, if its values may be sent. */
  writes?: string;
  may_be_first: boolean;
}

/** The data about a pattern and its fix options that is sent to a model. */
export interface FixProjection {
  values_shown: 'some' | 'none';
  pattern: {
    type: string;
    address: string;
    attribute: string;
    seen_as: string;
    /** How the two sides differ; absent if no result with them is stored. */
    change?: { becomes: 'known_after_apply' | 'set' | 'unset' | 'another_value'; proven_same?: string };
    values?: ShownSides;
  };
  rule?: { id: string; what: string; why: string; severity: string; category: string; remedy: string };
  order_is_fixed: boolean;
  options: ShownOption[];
}

/**
 * Builds the data about a pattern for a model, from an explicit list of fields. If the difference can affect access or
 * protection, no values are sent and the order of the options is fixed.
 */
export function projectFix(subject: FixSubject, { fixes }: FixProposal, send_values: SendValues): FixProjection {
  const guarded = isGuarded(subject);
  const rule = findRule(subject);
  const { diff } = subject;
  const shows = send_values === 'redacted' && !guarded && diff !== null;
  const values = shows ? pickSafeSides(diff, subject.resource_type) : null;
  return {
    values_shown: values === null ? 'none' : 'some',
    pattern: {
      type: cutMiddle(subject.resource_type, MAX_IDENTIFIER),
      address: cutMiddle(subject.resource_address, MAX_NAME),
      attribute: cutMiddle(subject.attribute, MAX_IDENTIFIER),
      seen_as: subject.classification,
      ...(diff === null ? {} : { change: describeChange(diff) }),
      ...(values === null ? {} : { values }),
    },
    ...(rule === null ? {} : { rule: toShownRule(rule) }),
    order_is_fixed: guarded,
    options: fixes.map((fix, i) => ({
      ...toShownOption(fix, NAMES[i] ?? String(i + 1)),
      ...(fix.kind === 'suppress' && !guarded
        ? { ignores: cutMiddle(buildIgnoreReference(subject), MAX_IDENTIFIER) }
        : {}),
      ...(values === null ? {} : toWrittenHcl(fix)),
      may_be_first: i === 0 || (!guarded && (fix.kind !== 'suppress' || rule === null)),
    })),
  };
}

function describeChange(diff: NonNullable<FixSubject['diff']>): NonNullable<FixProjection['pattern']['change']> {
  return { becomes: describeNewValue(diff), ...(diff.same === undefined ? {} : { proven_same: diff.same }) };
}

function describeNewValue({ after_unknown, op }: NonNullable<FixSubject['diff']>) {
  if (after_unknown) return 'known_after_apply' as const;
  if (op === 'add') return 'set' as const;
  return op === 'remove' ? ('unset' as const) : ('another_value' as const);
}

function toShownRule(rule: NonNullable<ReturnType<typeof findRule>>): NonNullable<FixProjection['rule']> {
  const { id, title, description, severity, category, remedy } = rule;
  return { id, what: title, why: description, severity, category, remedy };
}

function toShownOption(fix: FixOption, option: string): Omit<ShownOption, 'may_be_first'> {
  const { kind, label, summary, detail, pros, cons, min_provider_version } = fix;
  return {
    option,
    kind,
    label,
    summary: cutMiddle(summary, MAX_TEXT),
    detail: cutMiddle(detail, MAX_TEXT),
    pros,
    cons,
    ...(min_provider_version === null ? {} : { min_provider_version }),
  };
}

/** The HCL of an option except suppressions, whose block header contains names from the code. */
function toWrittenHcl({ kind, patch }: FixOption): { writes?: string } {
  const hcl = kind === 'suppress' ? null : (patch?.after ?? null);
  return hcl === null || hcl.length > MAX_HCL ? {} : { writes: hcl };
}

import type { Category } from '../model/result.ts';
import { buildFixes } from '../noise-catalog/fixes.ts';
import { type CatalogRule, NOISE_RULES } from '../noise-catalog/index.ts';
import { codeSpan } from '../render/inert.ts';
import { isWatched } from '../risk/attributes/index.ts';
import { hclReference, hclResource } from './hcl.ts';
import { rewriteOption } from './rewrite.ts';
import type { FixDraft, FixOption, FixProposal, FixSubject } from './types.ts';

/** Confidence of rule-based advice: with a catalog rule, with a proven equivalence, or with neither. */
const CONFIDENCE = { rule: 0.4, proof: 0.35, guess: 0.2 } as const;

/** Categories for which no option may hide changes, because they can affect access or protection. */
const NEVER_IGNORED: ReadonlySet<Category> = new Set(['iam', 'security', 'encryption']);

/** Attributes managed by autoscalers; risk rules read them only to detect scaling to zero. */
const CAPACITY = /(?:^|_)(?:desired_(?:count|capacity|size)|min_size|max_size|replicas|node_count|capacity)$/;

/**
 * Ways to remove a recurring difference, from the catalog and the shape of the change: fixes for the cause first, an
 * option that only hides the difference last.
 *
 * @see openapi.yaml, FixResult
 */
export function fixOptions(subject: FixSubject): FixProposal {
  const rule = findRule(subject);
  const rewrite = rewriteOption(subject, rule);
  const drafts: FixDraft[] = [rewrite];
  const version = rule?.fixed_in_version ?? null;
  if (rule !== null && version !== null) drafts.unshift(upgradeOption(buildFixes(rule)[0], version));
  drafts.push(isGuarded(subject) ? suppressOption() : ignoreOption(subject));
  const confidence =
    rule !== null ? CONFIDENCE.rule : subject.diff?.same === undefined ? CONFIDENCE.guess : CONFIDENCE.proof;
  return { fixes: drafts.map((draft, i) => finish(draft, i, subject)), confidence };
}

function finish(draft: FixDraft, i: number, { resource_type, resource_address, attribute }: FixSubject): FixOption {
  const kind = draft.kind === 'fix' && i > 0 ? 'workaround' : draft.kind;
  return { ...draft, kind, rank: i + 1, target: { resource_type, resource_address, attribute }, references: [] };
}

function upgradeOption(known: ReturnType<typeof buildFixes>[number] | undefined, version: string): FixDraft {
  const { label, summary, detail, pros, cons } = known ?? EMPTY;
  return { kind: 'fix', label, summary, detail, pros, cons, patch: null, min_provider_version: version };
}

const EMPTY = { label: '', summary: '', detail: '', pros: [], cons: [] };

/** The built-in rule that matches the pattern; null if there is none. */
export function findRule({ matched_rule_id }: FixSubject): CatalogRule | null {
  return NOISE_RULES.find(({ id }) => id === matched_rule_id) ?? null;
}

/** Whether the difference can affect access or protection, or must be reviewed each time. */
export function isGuarded(subject: FixSubject): boolean {
  if (findRule(subject)?.severity === 'caution') return true;
  if (subject.categories.some((category) => NEVER_IGNORED.has(category))) return true;
  const segments = toSegments(subject);
  return !CAPACITY.test(String(segments.at(-1))) && isWatched(subject.resource_type, segments);
}

function ignoreOption(subject: FixSubject): FixDraft {
  const reference = buildIgnoreReference(subject);
  return {
    kind: 'suppress',
    label: 'Ignore changes to the attribute',
    summary: `${codeSpan(`lifecycle { ignore_changes = [${reference}] }`)} in the resource.`,
    detail:
      'Terraform then ignores every change to the attribute of this resource. Add the block to the resource itself; for a resource in a module, edit the module.',
    pros: ['Removes the difference at once'],
    cons: ['Also hides real changes to the attribute', 'The configuration may no longer match the real resource'],
    patch: {
      language: 'hcl',
      before: null,
      after: hclResource(subject.resource_type, extractResourceName(subject), [
        'lifecycle {',
        `  ignore_changes = [${reference}]`,
        '}',
      ]),
    },
    min_provider_version: null,
  };
}

function suppressOption(): FixDraft {
  return {
    kind: 'suppress',
    label: 'Accept it here for 30 days',
    summary: 'Suppress this pattern at this address in dpa; leave the configuration as it is.',
    detail:
      'A suppression applies to these values only: dpa reports other values, and reports these again when the suppression expires. ignore_changes is not suggested because the attribute controls access or protection.',
    pros: ['Expires by itself', 'Other values are still reported'],
    cons: ['The plan still shows the difference'],
    patch: null,
    min_provider_version: null,
  };
}

/**
 * The path for `ignore_changes`. Supports indexes of nested blocks; for a list item, returns the list.
 */
export function buildIgnoreReference(subject: FixSubject): string {
  const segments = toSegments(subject);
  const last = segments.findLastIndex((segment) => typeof segment === 'string');
  return hclReference(segments.slice(0, last + 1));
}

function toSegments({ diff, attribute }: FixSubject): (string | number)[] {
  if (diff !== null) return diff.path_segments;
  return [attribute.split(/[.[]/)[0] ?? attribute];
}

/** The resource name: the last part of the address, without the key of count or for_each. */
function extractResourceName({ resource_address, resource_type }: FixSubject): string {
  const at = resource_address.lastIndexOf(`${resource_type}.`);
  const rest = at < 0 ? 'this' : resource_address.slice(at + resource_type.length + 1);
  return /^[A-Za-z_][A-Za-z0-9_-]*/.exec(rest)?.[0] ?? 'this';
}

/** R-STO-EXPIRE for the images of a registry: which ones a lifecycle policy deletes. */
import { isObject } from '../../../lib/is-object.ts';
import { findPhrase } from '../phrases.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { list, member, parseJson, quantity, same, strings, text } from '../values.ts';

const DOCUMENT_CHARS_MAX = 40_000;

/** Deletes the images of a selection beyond a number of images, or of days. */
interface Expiry {
  /** `any`, `tagged` or `untagged`. */
  status: string;
  /** Beginnings or patterns of tags; without one, all tags. */
  tags: readonly string[];
  counts: string;
  limit: number;
}

function readExpiries(policy: Value): Expiry[] | undefined {
  const parsed = typeof policy === 'string' ? parseJson(policy, DOCUMENT_CHARS_MAX) : policy;
  if (!isObject(parsed)) return undefined;
  return list(member(parsed, 'rules')).map((rule) => {
    const selection = member(rule, 'selection');
    return {
      status: text(member(selection, 'tagStatus')).toLowerCase(),
      tags: [...strings(member(selection, 'tagPrefixList')), ...strings(member(selection, 'tagPatternList'))].sort(),
      counts: text(member(selection, 'countType')),
      limit: quantity(member(selection, 'countNumber')) ?? 0,
    };
  });
}

function deletes(outer: Expiry, inner: Expiry): boolean {
  if (outer.counts !== inner.counts || outer.limit > inner.limit) return false;
  if (outer.status === 'any') return true;
  return outer.status === inner.status && (outer.tags.length === 0 || same([...outer.tags], [...inner.tags]));
}

/** What `after` deletes and `before` did not, or not as early. */
function findEarlier(before: readonly Expiry[], after: readonly Expiry[]): Expiry[] {
  return after.filter((expiry) => !before.some((other) => deletes(other, expiry)));
}

function judgeImages(subject: Subject): void {
  for (const { path, before, after, unknown } of subject.pairs(['policy'])) {
    if (unknown || same(before, after)) continue;
    const [was, is] = [readExpiries(before), readExpiries(after)];
    const earlier = was === undefined || is === undefined ? null : findEarlier(was, is);
    if (earlier?.length === 0) subject.setDirection(path, 'strengthening');
    // An image without a tag was replaced by a later one.
    if (earlier?.every(({ status, limit }) => status === 'untagged' && limit > 0) === true) continue;
    const message = `${findPhrase('images_deleted')}: ${subject.formatPath(path)} changes.`;
    subject.add({ rule: 'R-STO-EXPIRE', level: 'medium', path, message });
    subject.setDirection(path, 'weakening');
  }
}

export const IMAGE_EXPIRY_RULES: readonly Rule[] = [
  {
    types: ['aws_ecr_lifecycle_policy'],
    watches: [{ path: 'policy' }],
    modes: ['update', 'replace'],
    find: judgeImages,
  },
];

import { renderPath } from '../../changes/path.ts';
import { toPathNode } from '../../changes/path-node.ts';
import { createPathTree, createTouchTest } from '../../changes/path-tree.ts';
import type { ResourceChange } from '../../changes/types.ts';
import { compareLevels, isAtLeast } from '../../model/levels.ts';
import type { Direction, JsonObject, JsonValue, Reason, RiskLevel } from '../../model/result.ts';
import type { Mask } from '../../plan/types.ts';
import { holdsSecret, isSecretName } from '../../redact/secrets.ts';
import type { AttributeFindings, PlanFacts } from '../types.ts';
import type { Finding, Mode, Path, Value } from './types.ts';
import { type Pair, pairsAt } from './walk.ts';

const SHOWN_ITEMS = 3;
const SHOWN_CHARS = 80;
/** Longest part of a value that is searched for secrets, which is much more than the part that is shown. */
const SEARCHED_CHARS = 65_536;
const WITHHELD = 'a withheld value';

/** One change that the rules evaluate. Rules read it and report their findings to it. */
export class Subject {
  readonly type: string;
  /** undefined when the side does not exist. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  private readonly reasons: Reason[] = [];
  private weakening: Reason | null = null;
  /** Paths that rules have reported or given a direction. */
  private readonly judged: Path[] = [];
  private readonly reported: { path: Path; level: RiskLevel }[] = [];
  private readonly directions: Record<Exclude<Direction, 'neutral'>, Path[]> = { weakening: [], strengthening: [] };

  constructor(
    readonly change: ResourceChange,
    readonly facts: PlanFacts,
    readonly mode: Mode,
    /** Ids of rules that the org has turned off. Their findings are ignored. */
    private readonly disabled: ReadonlySet<string>,
    /** Maps a path of the change to its path in the plan. They differ when the change was translated. */
    private readonly toPlanPath: (path: Path) => Path = (path) => path,
  ) {
    this.type = change.type;
    this.before = mode === 'create' ? undefined : (change.before ?? undefined);
    this.after = mode === 'delete' ? undefined : (change.after ?? undefined);
  }

  /** Returns both sides of every path that matches a pattern: on create only `after`, on delete only `before`. */
  pairs(pattern: readonly string[]): Pair[] {
    return pairsAt(pattern, this.before, this.after, this.mode === 'delete' ? false : this.change.unknown);
  }

  /** Returns true when the new value at a path is unknown until apply. */
  isUnknown(...path: Path): boolean {
    return holdsTrue(maskAt(this.change.unknown, path));
  }

  /** Adds a reason. A rule is reported once, at its highest level. */
  add({ rule, level, path, message, states_values, neutral }: Finding): void {
    if (path !== null) {
      this.judged.push(path);
      this.reported.push({ path, level });
    }
    if (this.disabled.has(rule)) return;
    const reason: Reason = {
      rule_id: rule,
      kind: 'attribute',
      effect: 'raise',
      level,
      path: path === null ? null : this.formatPath(path) || null,
      message,
      ...(states_values ? { states_values } : {}),
    };
    if (!neutral && compareLevels(level, this.weakening?.level ?? 'none') > 0) this.weakening = reason;
    const known = this.reasons.findIndex((other) => other.rule_id === rule);
    if (known < 0) this.reasons.push(reason);
    else if (compareLevels(level, this.reasons[known]!.level) > 0) this.reasons[known] = reason;
  }

  /**
   * Sets the direction of every diff at, below or above a path after all rules have run. Weakening takes precedence.
   *
   * @see applyDirections
   */
  setDirection(path: Path, direction: Exclude<Direction, 'neutral'>): void {
    this.directions[direction].push(path);
    this.judged.push(path);
  }

  /** Whether a rule has reported a path, a part of it or a block around it, at this level or above. */
  isReported(path: Path, level: RiskLevel): boolean {
    return this.reported.some((known) => {
      const shared = Math.min(known.path.length, path.length);
      return isAtLeast(known.level, level) && known.path.slice(0, shared).every((segment, at) => segment === path[at]);
    });
  }

  /** Notes that a changed part means the same as before, or nothing that matters. */
  accept(path: Path): void {
    this.judged.push(path);
  }

  /** Applies all recorded directions in one pass over the diffs. */
  private applyDirections(): void {
    const { weakening, strengthening } = this.directions;
    if (weakening.length + strengthening.length === 0) return;
    const [isWeaker, isStronger] = [
      createTouchTest(createPathTree(weakening)),
      createTouchTest(createPathTree(strengthening)),
    ];
    for (const diff of this.change.diffs) {
      if (diff.direction === 'weakening') continue;
      const node = toPathNode(diff);
      if (isWeaker(node)) diff.direction = 'weakening';
      else if (isStronger(node)) diff.direction = 'strengthening';
    }
  }

  /** Formats a value for a message: shortened, and withheld if it is or may be secret. */
  quote(path: Path, value: Value): string {
    if (value === undefined || value === null) return 'nothing';
    if (this.isHidden(path)) return WITHHELD;
    if (!Array.isArray(value)) return typeof value === 'object' ? 'a block' : short(value);
    if (value.length === 0) return 'an empty list';
    const shown = value.slice(0, SHOWN_ITEMS).map((item) => (typeof item === 'object' ? 'a block' : short(item)));
    return value.length > SHOWN_ITEMS ? `${shown.join(', ')} and ${value.length - SHOWN_ITEMS} more` : shown.join(', ');
  }

  /** Returns true when `quote` shows a value in full. */
  quotesWhole(path: Path, value: Value): boolean {
    if (value === undefined || value === null || this.isHidden(path)) return false;
    const items = Array.isArray(value) ? value : [value];
    return items.length > 0 && items.length <= SHOWN_ITEMS && items.every(isPlain);
  }

  /** Formats a path for a message. */
  formatPath(path: Path): string {
    return renderPath([...this.toPlanPath(path)]);
  }

  /** Formats parts of a value, such as one address of a rule, and withholds them like `quote`. */
  quoteAll(path: Path, parts: readonly string[]): string {
    return this.isHidden(path) ? WITHHELD : this.quote(path, [...parts]);
  }

  /** Returns the findings. Call it after all rules have run. */
  findings(): AttributeFindings {
    this.applyDirections();
    return { reasons: this.reasons, weakening: this.weakening, judged: this.judged };
  }

  /** Returns true when the plan marks a value as sensitive, or its name indicates a secret. */
  isHidden(path: Path): boolean {
    const { before_sensitive, after_sensitive } = this.change;
    return (
      holdsTrue(maskAt(before_sensitive, path)) || holdsTrue(maskAt(after_sensitive, path)) || isSecretName([...path])
    );
  }
}

/** Returns true when `short` shows a value in full and unambiguously: a text with quotes could be misread. */
function isPlain(value: JsonValue): boolean {
  if (typeof value !== 'string') return typeof value !== 'object';
  return value.length <= SHOWN_CHARS && JSON.stringify(value) === `"${value}"`;
}

function short(value: string | number | boolean | null): string {
  const text = String(value);
  if (typeof value === 'string' && holdsSecret(text.slice(0, SEARCHED_CHARS))) return WITHHELD;
  return text.length > SHOWN_CHARS
    ? `"${text.slice(0, SHOWN_CHARS)}…"`
    : typeof value === 'string'
      ? `"${text}"`
      : text;
}

/** Returns the mask at a path; true when a parent is marked as a whole. */
function maskAt(mask: Mask, path: Path): Mask {
  let current = mask;
  for (const segment of path) {
    if (current === true) return true;
    if (typeof current !== 'object' || current === null) return false;
    current = Object.hasOwn(current, segment) ? (current as Record<string | number, Mask>)[segment] : false;
  }
  return current;
}

/** Caches results, because a rule may check a list once for each of its items. */
const marked = new WeakMap<object, boolean>();

function holdsTrue(mask: Mask): boolean {
  if (mask === true) return true;
  if (typeof mask !== 'object' || mask === null) return false;
  const known = marked.get(mask) ?? Object.values(mask).some(holdsTrue);
  marked.set(mask, known);
  return known;
}

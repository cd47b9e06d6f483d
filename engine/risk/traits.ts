import type { Category } from '../result.ts';
import { type BaseAction, type BaseRule, baseRule } from './base.ts';
import { categoriesOf, kindOf } from './categories.ts';
import * as types from './data/trait-types.ts';
import { compileGlobs } from './globs.ts';
import type { Kind } from './types.ts';

/** What the rules need to know of a resource type, found once per type. */
export interface Traits {
  categories: readonly Category[];
  kind: Kind | null;
  /** A mere relation or rule between things that stay. */
  link: boolean;
  /** A DNS record: a link when its name marks it as a validation record. */
  dns_record: boolean;
  /** Serves requests or runs jobs: destroying it is an outage. */
  workload: boolean;
  /** A new version is the normal way (`object`, `secret`), or there is no cloud object at all (`helper`). */
  versioned: 'object' | 'secret' | 'helper' | null;
  /** An identity that grants nothing by existing. */
  bare_identity: boolean;
  base(action: BaseAction): BaseRule;
}

const LINK = compileGlobs(types.LINK_TYPES);
const NOT_LINK = compileGlobs(types.NOT_LINK_TYPES);
const DNS_RECORD = compileGlobs(types.DNS_RECORD_TYPES);
const WORKLOAD = compileGlobs(types.WORKLOAD_TYPES);
const VERSIONED = compileGlobs(types.VERSIONED_TYPES);
const SECRET_VERSION = compileGlobs(types.SECRET_VERSION_TYPES);
const HELPER = compileGlobs(types.HELPER_TYPES);
const BARE_IDENTITY = compileGlobs(types.BARE_IDENTITY_TYPES);

/** A plan names tens of types; a long-lived process that is fed made-up ones starts over. */
const MAX_KEPT = 5_000;
const MAX_TYPE_LENGTH = 200;
const kept = new Map<string, Traits>();

export function traitsOf(type: string): Traits {
  const known = kept.get(type);
  if (known !== undefined) return known;
  const traits = findTraits(type.length > MAX_TYPE_LENGTH ? '' : type);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(type, traits);
  return traits;
}

function findTraits(type: string): Traits {
  const categories = categoriesOf(type);
  const kind = kindOf(type);
  const rules = new Map<BaseAction, BaseRule>();
  return {
    categories,
    kind,
    link: LINK.test(type) && !NOT_LINK.test(type),
    dns_record: DNS_RECORD.test(type),
    workload: WORKLOAD.test(type),
    versioned: versionedAs(type),
    bare_identity: BARE_IDENTITY.test(type),
    base(action) {
      const known = rules.get(action);
      if (known !== undefined) return known;
      const rule = baseRule(action, categories, kind);
      rules.set(action, rule);
      return rule;
    },
  };
}

function versionedAs(type: string): Traits['versioned'] {
  if (HELPER.test(type)) return 'helper';
  if (SECRET_VERSION.test(type)) return 'secret';
  return VERSIONED.test(type) ? 'object' : null;
}

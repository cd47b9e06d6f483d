import { type BaseAction, type BaseRule, type BaseTraits, baseRule } from './base.ts';
import { findCategories, findKind } from './categories.ts';
import * as types from './data/trait-types.ts';
import { compileGlobs } from './globs.ts';

/** The properties of a resource type that rules need, computed once per type. */
export interface Traits extends BaseTraits {
  /** A relation or rule between resources that are not affected. */
  link: boolean;
  /** A DNS record: a link when its name marks it as a validation record. */
  dns_record: boolean;
  /** Serves requests or runs jobs: destroying it causes an outage. */
  workload: boolean;
  /** Changed by creating new versions (`object`, `secret`), or without a cloud object (`helper`). */
  versioned: 'object' | 'secret' | 'helper' | null;
  /** An identity that has no permissions by itself. */
  bare_identity: boolean;
  /** Names the AWS principals that have access. */
  grants: boolean;
  /** Its account id names another account by design. */
  foreign_account: boolean;
  /** Its id may be the id of its parent resource. */
  borrowed_id: boolean;
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
const SECRET = compileGlobs(types.SECRET_TYPES);
const GRANT = compileGlobs(types.GRANT_TYPES);
const FOREIGN_ACCOUNT = compileGlobs(types.FOREIGN_ACCOUNT_TYPES);
const BORROWED_ID = compileGlobs(types.BORROWED_ID_TYPES);

/** A plan has tens of types. The limit bounds the cache when plans contain made-up types. */
const MAX_KEPT = 5_000;
const MAX_TYPE_LENGTH = 200;
const kept = new Map<string, Traits>();

export function lookUpTraits(type: string): Traits {
  const known = kept.get(type);
  if (known !== undefined) return known;
  const traits = findTraits(type.length > MAX_TYPE_LENGTH ? '' : type);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(type, traits);
  return traits;
}

function findTraits(type: string): Traits {
  const base = { categories: findCategories(type), kind: findKind(type), holds_secrets: SECRET.test(type) };
  const rules = new Map<BaseAction, BaseRule>();
  return {
    ...base,
    link: LINK.test(type) && !NOT_LINK.test(type),
    dns_record: DNS_RECORD.test(type),
    workload: WORKLOAD.test(type),
    versioned: versionedAs(type),
    bare_identity: BARE_IDENTITY.test(type),
    grants: GRANT.test(type),
    foreign_account: FOREIGN_ACCOUNT.test(type),
    borrowed_id: BORROWED_ID.test(type),
    base(action) {
      const known = rules.get(action);
      if (known !== undefined) return known;
      const rule = baseRule(action, base);
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

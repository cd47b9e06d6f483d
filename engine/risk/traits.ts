import { type BaseAction, type BaseRule, type BaseTraits, baseRule } from './base.ts';
import { findCategories, findKind } from './categories.ts';
import * as types from './data/trait-types.ts';
import { compileGlobs } from './globs.ts';

/** What the rules need to know of a resource type, found once per type. */
export interface Traits extends BaseTraits {
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
  /** Says which AWS principals may use something. */
  grants: boolean;
  /** Its account id is another's on purpose. */
  foreign_account: boolean;
  /** Its own id may be the id of what it belongs to. */
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

/** A plan names tens of types; a long-lived process that is fed made-up ones starts over. */
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

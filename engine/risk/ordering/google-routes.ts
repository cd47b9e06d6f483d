/** Routes of one destination, of which the lowest number wins. */
import type { JsonObject } from '../../model/result.ts';
import { isEmpty, member, text } from '../attributes/values.ts';
import type { ImpliedRule, OrderedKind } from './kind.ts';

const INSPECTED = ['next_hop_ilb', 'next_hop_ip', 'next_hop_instance', 'next_hop_vpn_tunnel'];

/** A new network has this route until it is deleted. */
const INTERNET: ImpliedRule = {
  address: 'the default route to the internet',
  number: 1000,
  strictness: 0,
  match: {},
};

const isDefault = (rule: JsonObject): boolean => /^(?:0\.0\.0\.0\/0|::\/0)$/.test(text(member(rule, 'dest_range')));

export const GOOGLE_ROUTES: OrderedKind = {
  types: ['google_compute_route'],
  list: 'network',
  within: ['project', 'dest_range'],
  priority: 'priority',
  default_priority: 1000,
  strictness: (rule) => (INSPECTED.some((name) => !isEmpty(member(rule, name))) ? 1 : 0),
  match: () => ({}),
  implied: (rule) => (isDefault(rule) ? [INTERNET] : []),
};

import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import { isObject } from '../../../lib/is-object.ts';
import { isEmpty, list, member, strings } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';

/** Objects that every workload needs, so that nothing starts when they are refused. */
const ESSENTIAL = new Set(['*', '*/*', 'pods', 'pods/*']);

/** Judges admission webhooks that start to refuse what they cannot check. */
export function judgeFailurePolicy({ names, before, after, parent }: Argument): ValueFinding | null {
  if (splitWords(names.at(-1) ?? '').join(' ') !== 'failure policy') return null;
  if (String(after) !== 'Fail' || before === after) return null;
  const blocks_all = refusesPods(parent) && !hasSelector(parent);
  return {
    rule: 'R-VAL-FAILCLOSED',
    level: blocks_all ? 'high' : 'medium',
    direction: 'neutral',
    consequence: blocks_all
      ? 'When the webhook does not answer, no pod can start in any namespace, not even its own'
      : 'When the webhook does not answer, requests are refused',
  };
}

function refusesPods(webhook: MaybeJson): boolean {
  const rules = [...list(member(webhook, 'rule')), ...list(member(webhook, 'rules'))];
  return rules.some((rule) => strings(member(rule, 'resources')).some((name) => ESSENTIAL.has(name)));
}

function hasSelector(webhook: MaybeJson): boolean {
  const selectors = ['namespace_selector', 'namespaceSelector', 'object_selector', 'objectSelector'];
  return selectors.some((name) => list(member(webhook, name)).some(selects));
}

function selects(selector: MaybeJson): boolean {
  return isObject(selector) && Object.values(selector).some((part) => !isEmpty(part));
}

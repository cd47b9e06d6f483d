/** Computed attributes that change because the provider read the object again. */
import { toPathNode } from '../changes/path-node.ts';
import type { ResourceChange } from '../changes/types.ts';
import type { AttributeDiff, JsonValue } from '../model/result.ts';
import { isHigherNumber, isLaterTime } from './stamp-values.ts';

export type RefreshedForm = keyof typeof FORMS;

/** A tag of one state of an object: opaque, without blanks. */
const TOKEN = /^(?:W\/)?"?[\w+/=:.-]{4,200}"?$/;
/** Types in which such a tag stands for content, or for the identity of a key. */
const CONTENT =
  /(?:^|_)(?:object|blob|file|artifact|package|layer|image|document|content|code|script|template|bundle|archive|key|keys|keypair|certificate|cert|ca|tls|ssh|saml|secret|token|credential|identity|host)(?:_|$)/;

const FORMS = {
  time: isLaterTime,
  counter: isHigherNumber,
  numbered: isHigherVersion,
  token: (before: JsonValue, after: JsonValue) =>
    typeof before === 'string' && typeof after === 'string' && TOKEN.test(before) && TOKEN.test(after),
};

/** Whether both values of a leaf are records of the same kind, and the second one is newer where that can be seen. */
export function isRefreshed({ before, after, after_unknown }: AttributeDiff, type: string, as: RefreshedForm): boolean {
  if (after_unknown || (as !== 'time' && CONTENT.test(type))) return false;
  return FORMS[as](before, after);
}

const NUMBERED_NAME = /^(.{1,300}[:._/-])(\d{1,9})((?:\/invocations)?)$/;

/** Whether two names differ only in the number of the version at their end, which is higher in the second one. */
function isHigherVersion(before: JsonValue, after: JsonValue): boolean {
  const [from, to] = [before, after].map((name) => NUMBERED_NAME.exec(String(name)));
  if (from == null || to == null || from[1] !== to[1] || from[3] !== to[3]) return false;
  return Number(to[2]) > Number(from[2]);
}

/** Times at which a provider read an object; unlike an update, reading changes nothing. */
const READ_AT =
  /^(?:last_)?(?:refresh|refreshed|sync|synced|fetch|fetched|scan|scanned|check|checked|poll|polled|read|seen|observed|collected)(?:_(?:at|on|time|date|timestamp))?$/;

/** Whether the resource was read again: one of its own attributes says so, with a later time. */
export function wasReadAgain({ diffs }: ResourceChange): boolean {
  return diffs.some((diff) => {
    const { first, depth } = toPathNode(diff);
    return depth === 1 && READ_AT.test(String(first)) && isRefreshed(diff, '', 'time');
  });
}

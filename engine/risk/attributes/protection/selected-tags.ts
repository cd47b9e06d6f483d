/** R-TAG-SELECTED: tags and labels by which the plan grants access, makes backups or filters traffic. */
import { toPathNode } from '../../../changes/path-node.ts';
import type { ResourceChange } from '../../../changes/types.ts';
import { isObject } from '../../../lib/is-object.ts';
import type { RiskLevel } from '../../../model/result.ts';
import type { Selection } from '../../relations/tags.ts';
import type { Subject } from '../subject.ts';
import type { Value } from '../types.ts';
import { member, strings, text } from '../values.ts';

const CONSEQUENCES: Record<Selection, { level: RiskLevel; message: string }> = {
  access: {
    level: 'high',
    message: 'A policy of the plan grants or denies access by this tag, so other identities may reach the resource',
  },
  backup: { level: 'high', message: 'Backups of the plan select by this tag, so they may stop unnoticed' },
  stop: {
    level: 'high',
    message:
      'A window or schedule of the plan acts on everything with this tag, so it may stop or restart the resource',
  },
  mute: { level: 'high', message: 'A downtime of the plan mutes everything with this tag, so nobody is called' },
  traffic: {
    level: 'high',
    message: 'Firewall rules of the plan select by this tag, so other traffic may be allowed',
  },
};

function judgeTags(attribute: string, subject: Subject): void {
  if (subject.isUnknown(attribute)) return;
  const [before, after] = [readTags(member(subject.before, attribute)), readTags(member(subject.after, attribute))];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)];
    if (was === is) continue;
    const selection = subject.facts.selectors.find(
      key,
      [was, is].filter((value) => value !== undefined),
    );
    if (selection === undefined || isSafer(selection, { was, is })) continue;
    const { level, message } = CONSEQUENCES[selection];
    const path = [attribute];
    subject.add({
      rule: 'R-TAG-SELECTED',
      level,
      path,
      message: `${message}: ${subject.quoteAll(path, [key])}.`,
    });
    subject.setDirection(path, 'weakening');
  }
}

/** A resource that joins a backup, or leaves a window or downtime, is safer. */
function isSafer(selection: Selection, { was, is }: { was: string | undefined; is: string | undefined }): boolean {
  if (selection === 'backup') return was === undefined;
  return (selection === 'stop' || selection === 'mute') && is === undefined;
}

/** Tags with values, or a list of names. */
function readTags(value: Value): Map<string, string> {
  if (Array.isArray(value)) return new Map(strings(value).map((name) => [name, '']));
  return new Map(isObject(value) ? Object.entries(value).map(([key, inner]) => [key, text(inner)]) : []);
}

const ATTRIBUTES = ['tags', 'labels', 'resource_manager_tags'];

/** Judges changed tags of a resource that is updated in place. */
export function findSelectedTags(subject: Subject): void {
  for (const attribute of ATTRIBUTES) judgeTags(attribute, subject);
}

/** Returns true if a tag changes, so that the selectors of the whole plan matter. */
export function changesTags({ action, diffs }: ResourceChange): boolean {
  return action === 'update' && diffs.some((diff) => ATTRIBUTES.includes(String(toPathNode(diff).first)));
}

import type { Member, TypeDeclaration } from './types.ts';

/** Interfaces of a `.d.ts` file, with the names of enclosing namespaces as prefix: `rds.InstanceArgs`. */
export function parseDeclarations(text: string): TypeDeclaration[] {
  const found: TypeDeclaration[] = [];
  let namespace = '';
  let current: TypeDeclaration | undefined;
  let comment: string[] = [];
  for (const line of joinMaps(text).split('\n')) {
    const trimmed = line.trim();
    if (trimmed.startsWith('/**')) comment = [];
    else if (trimmed.startsWith('*')) comment.push(trimmed.replace(/^\*\/?\s?/, ''));
    else if (current !== undefined) {
      if (trimmed === '}') current = undefined;
      else if (addMember(current.members, trimmed, comment.join('\n').trim())) comment = [];
    } else if (/^(export |declare )*namespace /.test(trimmed)) namespace = readNamespace(trimmed);
    else if (/^(export )?interface /.test(trimmed)) {
      current = { name: namespace + readName(trimmed), members: [] };
      if (!trimmed.endsWith('}')) found.push(current);
      else current = undefined;
      comment = [];
    } else if (trimmed === '}' && line.startsWith('}')) namespace = '';
  }
  return found;
}

/** Maps are written over three lines. */
function joinMaps(text: string): string {
  return text.replaceAll(/\{\n\s*(\[key: string\]: [^\n]+)\n\s*\}/g, '{ $1 }');
}

function readNamespace(line: string): string {
  return `${/namespace (\w+)/.exec(line)?.[1]}.`;
}

function readName(line: string): string {
  return /interface (\w+)/.exec(line)?.[1] ?? '';
}

function addMember(members: Member[], line: string, comment: string): boolean {
  const match = /^(?:readonly )?(\w+)\??: (.+);$/.exec(line);
  if (match === null) return false;
  members.push({ name: match[1]!, type: match[2]!, comment });
  return true;
}

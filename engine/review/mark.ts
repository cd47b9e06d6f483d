import type { ReviewMark } from './types.ts';

/** The exact form in which it is written, and nothing else: no other order, blanks or members. */
const MARK =
  /^<!-- dpa:v1 \{"k":"([0-9a-f]{32})","sha":"([0-9a-f]{40})","run":(\d{1,15}),"hash":"([0-9a-f]{64})"\} -->\r?(?:\n|$)/;

/** The first line of a comment: shows as nothing, says which pull request, commit, run and result it is about. */
export function writeMark({ key, head_sha, run, hash }: ReviewMark): string {
  return `<!-- dpa:v1 {"k":"${key}","sha":"${head_sha}","run":${run},"hash":"${hash}"} -->`;
}

/** The mark in the very first line of a comment; null when there is none. Anyone can write one: check the author too. */
export function readMark(body: string): ReviewMark | null {
  const found = MARK.exec(body);
  if (found === null) return null;
  const [, key = '', head_sha = '', run = '', hash = ''] = found;
  return { key, head_sha, run: Number(run), hash };
}

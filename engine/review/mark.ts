import type { ReviewMark } from './types.ts';

/** The exact format of the mark: no other order, whitespace or fields. */
const MARK =
  /^<!-- dpa:v1 \{"k":"([0-9a-f]{32})","sha":"([0-9a-f]{40})","run":(\d{1,15}),"hash":"([0-9a-f]{64})"\} -->\r?(?:\n|$)/;

/** The invisible first line of a comment: identifies its pull request, commit, run and result. */
export function writeMark({ key, head_sha, run, hash }: ReviewMark): string {
  return `<!-- dpa:v1 {"k":"${key}","sha":"${head_sha}","run":${run},"hash":"${hash}"} -->`;
}

/** The mark in the first line of a comment; null if absent. Anyone can write a mark, so also check the author. */
export function readMark(body: string): ReviewMark | null {
  const found = MARK.exec(body);
  if (found === null) return null;
  const [, key = '', head_sha = '', run = '', hash = ''] = found;
  return { key, head_sha, run: Number(run), hash };
}

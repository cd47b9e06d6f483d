import { inspect } from 'node:util';
import { expect } from '@jest/globals';
import {
  CloudError,
  type CloudFault,
  type CloudSession,
  type FoundResource,
  type ScanPart,
} from '../../../server/adapters/cloud/types.ts';

/** The signal of a caller who does not stop. */
export const never = new AbortController().signal;

/** The fault of a call that must fail; no form of the error may contain a secret. */
export async function findFault(attempt: Promise<unknown>): Promise<CloudFault> {
  const error = await attempt.then(
    (value) => Promise.reject(new Error(`there is a result: ${inspect(value)}`)),
    (reason: unknown) => reason,
  );
  if (!(error instanceof CloudError)) throw error;
  const texts = [error.message, error.stack, JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })];
  expect(texts.join()).not.toMatch(/canary|BEGIN PRIVATE KEY/);
  expect(error.message).toMatch(/\.$/);
  return error.fault;
}

export interface ReadPart {
  resources: FoundResource[];
  faults: CloudFault[];
  page_count: number;
  restart_count: number;
}

/** Reads a part to its end. `onPage` is called after each page. */
export async function readPart(session: CloudSession, part: ScanPart, onPage = () => {}): Promise<ReadPart> {
  const read: ReadPart = { resources: [], faults: [], page_count: 0, restart_count: 0 };
  let cursor: string | null = null;
  do {
    const page = await session.readPage(part, cursor, never);
    read.resources.push(...page.resources);
    read.faults.push(...page.faults);
    read.page_count += 1;
    if (page.restarted) read.restart_count += 1;
    cursor = page.next_cursor;
    onPage();
  } while (cursor !== null);
  return read;
}

/** Reads all parts, one after the other. */
export async function readAll(session: CloudSession): Promise<ReadPart> {
  const { parts } = await session.outline(never);
  const total: ReadPart = { resources: [], faults: [], page_count: 0, restart_count: 0 };
  for (const part of parts) {
    const read = await readPart(session, part);
    total.resources.push(...read.resources);
    total.faults.push(...read.faults);
    total.page_count += read.page_count;
    total.restart_count += read.restart_count;
  }
  return total;
}

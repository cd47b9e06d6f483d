import { writeFile } from 'node:fs/promises';
import { Failure } from '../failure.ts';
import { buildSubmission, writeReport } from './report.ts';
import type { SubmittedPlan } from './types.ts';

/** Width of text without a terminal. */
const WIDTH = 100;

/** Checks the names before any plan is analyzed. @throws Failure for a file that is neither .json nor .md */
export function assertReportFiles(paths: readonly string[]): void {
  const invalid = paths.find((path) => !/\.(json|md)$/.test(path));
  if (invalid !== undefined) throw new Failure(`${invalid}: the name of a report must end in .json or .md`);
}

/** @param top number of changes to show in each part of Markdown */
export async function writeReportFiles(plans: SubmittedPlan[], paths: readonly string[], top: number): Promise<void> {
  const submission = buildSubmission(plans);
  for (const path of paths) {
    const format = path.endsWith('.md') ? 'markdown' : 'json';
    await writeFile(path, writeReport(submission, format, { top, color: false, width: WIDTH }));
  }
}

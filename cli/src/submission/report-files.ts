import { writeFile } from 'node:fs/promises';
import { Failure } from '../failure.ts';
import { buildSubmission, writeReport } from './report.ts';
import type { SubmittedPlan } from './types.ts';

/** Without a terminal. */
const WIDTH = 100;

/** Called before the work is done. @throws Failure for a file that is neither JSON nor Markdown */
export function assertReportFiles(paths: readonly string[]): void {
  const invalid = paths.find((path) => !/\.(json|md)$/.test(path));
  if (invalid !== undefined) throw new Failure(`${invalid}: a report is JSON or Markdown, name it .json or .md`);
}

/** @param top how many changes each part of Markdown shows */
export async function writeReportFiles(plans: SubmittedPlan[], paths: readonly string[], top: number): Promise<void> {
  const submission = buildSubmission(plans);
  for (const path of paths) {
    const format = path.endsWith('.md') ? 'markdown' : 'json';
    await writeFile(path, writeReport(submission, format, { top, color: false, width: WIDTH }));
  }
}

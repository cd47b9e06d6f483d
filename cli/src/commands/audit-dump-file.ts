import { AuditDumpError, parseAuditRow, type StoredAuditRow } from '../../../engine/index.ts';
import { Failure } from '../failure.ts';
import { describeInput, type InputKind, readInput } from '../input.ts';
import { createLineReader } from '../lines.ts';

const MAX_LINE_BYTES = 1_048_576;
const DUMP: InputKind = { noun: 'dump', file: 'the file with the dump' };

/**
 * Reads a dump of the audit log, one row at a time.
 *
 * @throws Failure with the number of the line that is not a row
 */
export async function readDump(path: string, onRow: (row: StoredAuditRow) => void): Promise<void> {
  const lines = createLineReader(MAX_LINE_BYTES, (line, number) => {
    onRow(prefixErrors(`line ${number}`, () => parseAuditRow(line)));
  });
  for await (const chunk of readInput(path, DUMP)) prefixErrors(describeInput(path), () => lines.write(chunk));
  prefixErrors(describeInput(path), lines.end);
}

/** Adds the position in front of an error message. */
export function prefixErrors<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof AuditDumpError || error instanceof Failure) throw new Failure(`${place}: ${error.message}`);
    throw error;
  }
}

import { execFileSync } from 'node:child_process';
import { computeMedian } from './statistics.ts';

const ROUNDS = 3;

/** Peak memory and CPU time of a process. */
export interface Usage {
  peak_mb: number;
  cpu_ms: number;
}

/** A script that reads the file of its first argument as a whole and parses it. */
export const PARSE_FILE = "JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))";

/** A module that is loaded first, and writes the resource usage of the process to standard error when it exits. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => { const used = process.resourceUsage();" +
    " writeSync(2, 'USAGE ' + used.maxRSS + ' ' + (used.userCPUTime + used.systemCPUTime)); });",
)}`;

/** Medians of several runs of node with these arguments; the exit code is ignored. */
export function measureUsage(args: string[]): Usage {
  const runs = Array.from({ length: ROUNDS }, () => measureOnce(args));
  return {
    peak_mb: computeMedian(runs.map((run) => run.peak_mb)),
    cpu_ms: computeMedian(runs.map((run) => run.cpu_ms)),
  };
}

function measureOnce(args: string[]): Usage {
  const script = '"$@" 2>&1 >/dev/null; true';
  const output = execFileSync('sh', ['-c', script, 'sh', process.execPath, '--import', REPORT, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const [, kilobytes, microseconds] = /USAGE (\d+) (\d+)/.exec(output) ?? [];
  if (kilobytes === undefined) throw new Error(`no usage was reported: ${output.slice(-500)}`);
  return { peak_mb: Number(kilobytes) / 1024, cpu_ms: Number(microseconds) / 1000 };
}

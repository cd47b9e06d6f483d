import { createDrift, type DriftReport, renderDriftText } from '../../../engine/drift/index.ts';
import { compareLevels, type RiskLevel } from '../../../engine/index.ts';
import { createStateReader, StateError, type StateInstance, type StateValues } from '../../../engine/state/index.ts';
import { type AccountFolder, openAccounts } from '../account-folder.ts';
import { EXIT_TOO_RISKY } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { describeInput, type InputKind, readInput } from '../input.ts';
import { prepareForBytes } from '../large-input.ts';
import { type Format, print } from '../output.ts';
import { shouldUseColor } from '../terminal.ts';

export interface DriftCommandOptions {
  state: string[];
  account: string;
  format: Format;
  json?: boolean;
  failOn?: RiskLevel;
  top: number;
}

const STATE: InputKind = { noun: 'state', file: 'the file from `terraform state pull > state.json`' };

interface ReadState {
  path: string;
  instances: { instance: StateInstance; values: StateValues }[];
  parse_failure_count: number;
}

/** Compares states with a recorded account, prints what differs, and sets the exit code. */
export async function drift({ state, account, format, json = false, failOn, top }: DriftCommandOptions): Promise<void> {
  const folders = await openAccounts(account);
  const states: ReadState[] = [];
  for (const path of state) states.push(await readState(path));
  const now = new Date().toISOString();
  const reports: DriftReport[] = [];
  for (const folder of folders) reports.push(await compute(folder, states, now));
  if (failOn !== undefined && reports.some(({ risk_level }) => compareLevels(risk_level, failOn) >= 0))
    process.exitCode = EXIT_TOO_RISKY;
  print({ format: json ? 'json' : format }, { reports }, () => render(reports, top));
}

async function readState(path: string): Promise<ReadState> {
  const instances: ReadState['instances'] = [];
  const reader = createStateReader({
    instance: (instance, readValues) => instances.push({ instance, values: readValues() }),
  });
  try {
    let bytes = 0;
    for await (const chunk of readInput(path, STATE)) {
      bytes += chunk.length;
      prepareForBytes(bytes);
      reader.write(chunk);
    }
    const { parse_failure_count } = reader.end();
    const redacted = instances.map(({ instance, values }) => ({
      instance,
      values: redactValues(reader.redact, values),
    }));
    return { path, instances: redacted, parse_failure_count };
  } catch (error) {
    if (error instanceof StateError) throw new Failure(`${describeInput(path)}: ${error.message}`);
    throw error;
  }
}

/** Identifiers stay, because they are never secret and finding objects depends on them. */
function redactValues(redact: <T extends object>(value: T) => T, values: StateValues): StateValues {
  return { ...values, attributes: redact(values.attributes) };
}

async function compute({ account, pages }: AccountFolder, states: ReadState[], now: string): Promise<DriftReport> {
  const computation = createDrift({ account, now });
  for (const { path, instances } of states) {
    const source = states.length > 1 ? path : null;
    for (const { instance, values } of instances) computation.addInstance(instance, values, source);
  }
  for await (const page of pages()) for (const resource of page) computation.addLive(resource);
  const parse_failure_count = states.reduce((sum, one) => sum + one.parse_failure_count, 0);
  return computation.end({ parse_failure_count });
}

function render(reports: DriftReport[], top: number): string {
  const options = { color: shouldUseColor(process.stdout), top, width: process.stdout.columns ?? 100 };
  return reports.map((report) => renderDriftText(report, options)).join('\n');
}

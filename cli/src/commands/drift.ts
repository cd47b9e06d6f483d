import {
  countOwners,
  createDrift,
  type DriftReport,
  filterDrift,
  findStateOwner,
  type IgnoreRule,
  type ListedAccount,
  type StateOwner,
  splitInventory,
} from '../../../engine/drift/index.ts';
import type { RiskLevel } from '../../../engine/index.ts';
import { EXIT_PARTLY_READ, EXIT_TOO_RISKY } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { NO_IGNORE_RULES, readIgnoreFile } from '../ignore-file.ts';
import { type InventoryFiles, readInventoryFiles } from '../inventory-files.ts';
import { createCountProgress } from '../progress.ts';
import { type ReadState, readState } from '../states.ts';
import type { FailOn } from './drift-conditions.ts';
import { shouldFail } from './drift-fail-on.ts';
import { type DriftResult, printDrift } from './drift-output.ts';

export interface DriftCommandOptions {
  state: string[];
  inventory: string[];
  ignore?: string;
  format: 'text' | 'json' | 'markdown';
  json?: boolean;
  failOn: FailOn[];
  type?: string[];
  address?: string[];
  minLevel: RiskLevel;
  top: number;
}

/** Compares states with an inventory, prints what differs, and sets the exit code. */
export async function drift(options: DriftCommandOptions): Promise<void> {
  const now = new Date().toISOString();
  const ignore = options.ignore === undefined ? NO_IGNORE_RULES : await readIgnoreFile(options.ignore, now);
  const states: ReadState[] = [];
  for (const path of options.state) states.push(await readState(path));
  const files = await readInventoryFiles(options.inventory);
  const owners = listOwners(states);
  const { accounts, warnings } = splitInventory(files.inventory, owners);
  if (accounts.length === 0) throw new Failure(describeNothing(warnings));
  const filter = { types: options.type ?? [], addresses: options.address ?? [], min_level: options.minLevel };
  const whole = accounts.map((account) => compare(account, states, { now, ignore_rules: ignore.rules }));
  const reports = whole.map((report) => filterDrift(report, filter));
  const result: DriftResult = {
    reports,
    filtered_count: countItems(whole) - countItems(reports),
    not_compared: owners.filter((owner) => !isCompared(owner, accounts)),
    warnings: [...ignore.warnings, ...warnings, ...files.inventory.warnings, ...describeStates(files, options.state)],
    refused: files.refused,
    reasons: ignore.reasons,
  };
  if (shouldFail(reports, options.failOn)) process.exitCode = EXIT_TOO_RISKY;
  else if (isPartlyRead(files, states)) process.exitCode = EXIT_PARTLY_READ;
  printDrift(result, { ...options, format: options.json === true ? 'json' : options.format });
}

/** The accounts that the resources of the states belong to. */
function listOwners(states: readonly ReadState[]): StateOwner[] {
  return countOwners(
    states.flatMap(({ instances }) =>
      instances.flatMap(({ instance, values }) => findStateOwner(instance, values) ?? []),
    ),
  );
}

/** A resource that does not name its account is compared with every account of its cloud. */
function isCompared({ provider, account_id }: StateOwner, accounts: readonly ListedAccount[]): boolean {
  return accounts.some(
    ({ account }) =>
      account.provider === provider &&
      (account_id === null || account.external_account_id.toLowerCase() === account_id),
  );
}

function compare(
  { account, resources }: ListedAccount,
  states: readonly ReadState[],
  { now, ignore_rules }: { now: string; ignore_rules: readonly IgnoreRule[] },
): DriftReport {
  const count = states.reduce((sum, { instances }) => sum + instances.length, resources.length);
  const progress = createCountProgress('comparing resources', count);
  const computation = createDrift({ account, now, ignore_rules });
  for (const { path, instances } of states) {
    const source = states.length > 1 ? path : null;
    for (const { instance, values } of instances) {
      progress.add(1);
      computation.addInstance(instance, values, source);
    }
  }
  for (const resource of resources) {
    progress.add(1);
    computation.addLive(resource);
  }
  const report = computation.end({
    parse_failure_count: states.reduce((sum, state) => sum + state.parse_failure_count, 0),
  });
  progress.clear();
  return report;
}

function countItems(reports: readonly DriftReport[]): number {
  return reports.reduce((sum, { items }) => sum + items.length, 0);
}

function isPartlyRead({ refused, inventory }: InventoryFiles, states: readonly ReadState[]): boolean {
  return (
    refused.length > 0 ||
    inventory.files.some(({ unreadable_count }) => unreadable_count > 0) ||
    states.some(({ parse_failure_count }) => parse_failure_count > 0)
  );
}

/** States in the folder of the inventory that were not passed. */
function describeStates({ states }: InventoryFiles, passed: readonly string[]): string[] {
  const others = states.filter((path) => !passed.includes(path));
  return others.map(
    (path) => `${path} is a state that was not compared. Pass it with --state if it belongs to the account.`,
  );
}

function describeNothing(warnings: readonly string[]): string {
  return warnings.length > 0 ? warnings.join('\n') : 'the inventory has no resource and no listing to compare';
}

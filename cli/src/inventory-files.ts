import {
  createInventoryReader,
  type Inventory,
  InventoryError,
  type InventoryErrorClass,
  type InventoryReader,
} from '../../engine/inventory/index.ts';
import { Failure } from './failure.ts';
import { describeInput, type InputKind, readInput } from './input.ts';
import { findInputFiles } from './json-files.ts';
import { prepareForBytes } from './large-input.ts';

const INVENTORY: InputKind = { noun: 'inventory', file: 'a JSON file that a command of aws, gcloud or az printed' };

/** A file that is not an inventory, and why. */
export interface RefusedFile {
  name: string;
  error_class: InventoryErrorClass;
  message: string;
}

export interface InventoryFiles {
  inventory: Inventory;
  refused: RefusedFile[];
  /** States in the folders, which belong beside an inventory and were not read. */
  states: string[];
}

/**
 * Reads files with the resources of a cloud. A folder stands for every JSON file below it.
 *
 * @throws Failure if none of them is an inventory
 */
export async function readInventoryFiles(paths: readonly string[]): Promise<InventoryFiles> {
  const files = await findInputFiles(paths);
  const reader = createInventoryReader();
  const refused: RefusedFile[] = [];
  const states: string[] = [];
  let bytes = 0;
  const count = (length: number) => {
    bytes += length;
    prepareForBytes(bytes);
  };
  for (const { path, is_from_folder } of files) {
    const refusal = await readFile(reader, path, count);
    if (refusal === null) continue;
    if (is_from_folder && refusal.error_class === 'state') states.push(path);
    else refused.push(refusal);
  }
  if (states.length === files.length) throw new Failure(`${paths.join(', ')}: there are only states, and no inventory`);
  if (refused.length + states.length === files.length) throw new Failure(describeRefused(refused));
  return { inventory: reader.end(), refused, states };
}

async function readFile(
  reader: InventoryReader,
  path: string,
  count: (length: number) => void,
): Promise<RefusedFile | null> {
  const name = describeInput(path);
  const file = reader.file(name);
  try {
    for await (const chunk of readInput(path, INVENTORY)) {
      count(chunk.length);
      file.write(chunk);
    }
    file.end();
    return null;
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    return { name, error_class: error.error_class, message: error.message };
  }
}

function describeRefused(refused: readonly RefusedFile[]): string {
  return refused.map(({ name, message }) => `${name}: ${message}`).join('\n');
}

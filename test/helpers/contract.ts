import { type Contract, loadContract } from '../../server/http/index.ts';
import { createAnswerCheck } from './answer-check.ts';

let compiled: Promise<Contract> | undefined;

/** The contract with validation of responses; compiled once in each process. */
export function loadCheckedContract(): Promise<Contract> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<Contract> {
  const contract = await loadContract();
  return { ...contract, findFault: createAnswerCheck(contract.document) };
}

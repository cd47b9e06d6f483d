import { type Contract, loadContract } from '../../server/http/index.ts';
import { createAnswerCheck } from './answer-check.ts';

let compiled: Promise<Contract> | undefined;

/** The contract, which holds answers against itself too; compiled once in each process of the run. */
export function loadCheckedContract(): Promise<Contract> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<Contract> {
  const contract = await loadContract();
  return { ...contract, findFault: createAnswerCheck(contract.document) };
}

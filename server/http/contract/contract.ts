import type { Answer, Exchange } from '../request/exchange.ts';
import { type ContractDocument, loadDocument } from './document.ts';
import { compileOperations, type Operations } from './operations.ts';
import { createValidator, type Validator } from './validator.ts';

/** How a response violates the contract; undefined if it does not. */
export type AnswerCheck = (exchange: Exchange, answer: Answer) => Error | undefined;

/** The parsed and compiled `openapi.yaml`; one can be used by any number of services. */
export interface Contract {
  document: ContractDocument;
  operations: Operations;
  validator: Validator;
  /** For tests. */
  findFault?: AnswerCheck;
}

/**
 * Reads and compiles the contract. All schemas are compiled when it returns, so the first request is as fast as the
 * next.
 */
export async function loadContract(): Promise<Contract> {
  const document = loadDocument();
  const operations = compileOperations(document.api);
  const validator = await createValidator(document, operations.all);
  return { document, operations, validator };
}

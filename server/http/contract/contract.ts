import type { Answer, Exchange } from '../request/exchange.ts';
import { type ContractDocument, loadDocument } from './document.ts';
import { compileOperations, type Operations } from './operations.ts';
import { createValidator, type Validator } from './validator.ts';

/** In what an answer is not as the contract says; undefined when it is. */
export type AnswerCheck = (exchange: Exchange, answer: Answer) => Error | undefined;

/** `openapi.yaml`, read and compiled: one may serve any number of services. */
export interface Contract {
  document: ContractDocument;
  operations: Operations;
  validator: Validator;
  /** For tests. */
  findFault?: AnswerCheck;
}

/** Reads and compiles the contract. When it is returned, every schema is compiled: the first request is as quick as the next. */
export async function loadContract(): Promise<Contract> {
  const document = loadDocument();
  const operations = compileOperations(document.api);
  const validator = await createValidator(document, operations.all);
  return { document, operations, validator };
}

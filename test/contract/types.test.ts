/** Type errors; `npm run check` compiles this file, and an expected error that does not occur fails there. */
import { expect, test } from '@jest/globals';
import type { PlanAnalysis } from '../../engine/model/result.ts';
import { JsonText } from '../../server/contract/json-text.ts';
import type { components } from '../../server/contract/openapi.d.ts';
import type { Handlers, Request } from '../../server/contract/operation.ts';
import { testHandlers } from '../http/harness.ts';

type Same<A, B> = [A, B] extends [B, A] ? true : false;

const handlers = testHandlers();
const org = {
  id: 'x',
  slug: 'x',
  display_name: 'x',
  plan: 'free' as const,
  features: [],
  created_at: 'x',
};

const keepNothing = async () => {};

test('a handler that violates the contract does not compile', () => {
  const { getMe: _left_out, ...others } = handlers;
  // @ts-expect-error an operation is left out
  const incomplete: Handlers = others;
  // @ts-expect-error a status that is not declared
  const status: Handlers['getOrg'] = async () => ({ status: 201, body: org });
  // @ts-expect-error a body without a required field
  const body: Handlers['getOrg'] = async () => ({ status: 200, body: { id: 'x' } });
  // @ts-expect-error JSON text of another type
  const text: Handlers['getOrg'] = async () => ({ status: 200, body: new JsonText<number>('1') });
  // @ts-expect-error a required header is missing
  const header: Handlers['createOrg'] = ({ once }) => once(() => ({ status: 201, body: org }), keepNothing);
  // @ts-expect-error an operation with an Idempotency-Key that does not store its response with its work
  const unkept: Handlers['createOrg'] = async () => ({ status: 201, body: org, headers: { Location: '' } });
  // @ts-expect-error a header that is not declared
  const odd: Handlers['getOrg'] = async () => ({ status: 200, body: org, headers: { 'X-Odd': '1' } });
  // @ts-expect-error a page without an envelope needs its position
  const page: Handlers['listUsers'] = async () => ({ status: 200, body: [] });
  // @ts-expect-error errors are thrown, not returned
  const error: Handlers['getOrg'] = async () => ({ status: 404, body: { error: '', error_class: '', request_id: '' } });

  expect([incomplete, status, body, text, header, unkept, odd, page, error]).toHaveLength(9);
});

test('a request type contains the parameters of its operation', () => {
  const facts: [
    Same<Request<'listOrgs'>['query'], { limit: number; offset: number }>,
    Same<Request<'getMe'>['org'], undefined>,
    Same<Request<'getOrg'>['org']['id'], string>,
    Same<Request<'getScan'>['path'], { id: string; scan_id: string }>,
    Same<Request<'createOrg'>['body'], { display_name: string; slug: string }>,
    Same<Request<'getOrg'>['body'], undefined>,
    Same<Request<'deleteUser'>['org'], undefined>,
    Same<Request<'exchangeToken'>['principal'], undefined>,
  ] = [true, true, true, true, true, true, true, true];

  expect(facts).not.toContain(false);
});

test('the contract and the engine have the same result fields', () => {
  type Contract = components['schemas'];
  type Fields<T> = T extends (infer Item)[] ? Fields<Item> : T extends object ? keyof T : never;
  const facts: [
    Same<Fields<PlanAnalysis>, Fields<Contract['PlanAnalysis']>>,
    Same<Fields<PlanAnalysis['changes']>, Fields<Contract['Change']>>,
    Same<Fields<PlanAnalysis['changes'][number]['attributes']>, Fields<Contract['AttributeDiff']>>,
    Same<Fields<PlanAnalysis['summary']>, Fields<Contract['Summary']>>,
    PlanAnalysis extends Contract['PlanAnalysis'] ? true : false,
  ] = [true, true, true, true, true];

  expect(facts).not.toContain(false);
});

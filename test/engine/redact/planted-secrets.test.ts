import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyzePlan, renderMarkdown, renderText } from '../../../engine/index.ts';
import { SCRIPT_SHAPES, SHAPES, type Shape } from './planted-shapes.ts';

/** Built at run time, so that secret scanners do not report this file. */
const SECRET = ['kX9vQ2', 'mT7pLw', '4ZrB8n'].join('');
const ALL = [...SHAPES, ...SCRIPT_SHAPES];

function buildPlan(shape: Shape, secret: string, more: object[] = []): string {
  const { type, attribute, write } = shape;
  const change = { actions: ['update'], before: { [attribute]: 'none' }, after: { [attribute]: write(secret) } };
  const resource = { address: `${type}.a`, type, name: 'a', change };
  return JSON.stringify({ format_version: '1.2', resource_changes: [resource, ...more] });
}

/** A resource that repeats the secret without saying so. */
function buildCopy(secret: string): object {
  const change = { actions: ['create'], before: null, after: { description: `see ${secret} for access`, size: 1 } };
  return { address: 'aws_thing.copy', type: 'aws_thing', name: 'copy', change };
}

function renderAll(plan: string): string {
  const analysis = analyzePlan(plan);
  return [
    JSON.stringify(analysis),
    renderText(analysis, { color: false, top: 50 }),
    renderMarkdown(analysis, { top: 50 }),
  ].join('\n');
}

function expectAbsent(output: string, secret: string): void {
  expect(output).not.toContain(secret);
  expect(output).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
}

test('the table has at least 120 shapes', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(120);
});

describe('a planted secret is not printed', () => {
  test.each(ALL.map((shape) => [`${shape.type}: ${shape.name}`, shape] as const))('%s', (_, shape) => {
    expectAbsent(renderAll(buildPlan(shape, SECRET)), SECRET);
  });

  test.each(ALL.map((shape) => [`${shape.type}: ${shape.name}`, shape] as const))('elsewhere: %s', (_, shape) => {
    expectAbsent(renderAll(buildPlan(shape, SECRET, [buildCopy(SECRET)])), SECRET);
  });

  test('in any shape, whatever its letters and digits', () => {
    const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
    const secrets = fc.string({ unit: letters, minLength: 12, maxLength: 40 });

    fc.assert(
      fc.property(fc.constantFrom(...ALL), secrets, (shape, secret) => {
        expectAbsent(renderAll(buildPlan(shape, secret)), secret);
      }),
      { numRuns: 1000 },
    );
  });
});

import { expect, test } from '@jest/globals';
import type { JsonObject, RiskLevel } from '../../../../engine/model/result.ts';
import { judgeAlone, makeChange } from '../helpers.ts';

/** An update with its level, and the rule that must be among its reasons, unless a table has the argument of the type. */
export type LevelCase = [type: string, before: JsonObject, after: JsonObject, level: RiskLevel, rule?: string];

/** Declares one test for each update. */
export function testLevels(cases: LevelCase[]): void {
  test.each(cases)('%s from %j to %j is %s', (...[type, before, after, level, rule]) => {
    const { level: found, reasons } = judgeAlone(makeChange(type, 'update', [before, after]));
    const is_given = reasons.some(({ rule_id }) => rule_id === rule || rule_id.startsWith(`R-ATTR-${type}.`));
    expect([found, rule === undefined || is_given]).toEqual([level, true]);
  });
}

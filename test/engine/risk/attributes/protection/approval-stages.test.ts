import { describe } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { testLevels } from '../../meaning/judging.ts';

const stage = (name: string, ...categories: string[]) => ({
  name,
  action: categories.map((category, at) => ({ name: `${name}-${category}-${at}`, category, run_order: at + 1 })),
});
const pipeline = (...stages: JsonObject[]) => ({ stage: stages });
const approval = stage('approve', 'Approval');
const prod = stage('prod', 'Deploy');

describe('approvals before deployments', () => {
  const [source, rule] = [stage('source', 'Source'), 'R-VAL-APPROVAL'];
  testLevels([
    ['aws_codepipeline', pipeline(source, approval, prod), pipeline(source, prod), 'high', rule],
    ['aws_codepipeline', pipeline(source, approval, prod), pipeline(source, prod, approval), 'high', rule],
    [
      'aws_codepipeline',
      pipeline(source, approval, prod),
      pipeline(source, stage('eu', 'Deploy'), approval, prod),
      'high',
      rule,
    ],
    [
      'aws_codepipeline',
      pipeline(source, stage('prod', 'Approval', 'Deploy')),
      pipeline(source, { ...stage('prod', 'Approval', 'Deploy'), action: stage('prod', 'Build', 'Deploy').action }),
      'high',
      rule,
    ],
    ['aws_codepipeline', pipeline(source, prod), pipeline(source, approval, prod), 'low'],
  ]);
});

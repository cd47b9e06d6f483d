import { describe } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { testLevels } from '../../meaning/judging.ts';

const match = (search_string: string, type: string) => ({
  byte_match_statement: [{ search_string, text_transformation: [{ priority: 0, type }] }],
});
const acl = (statement: JsonObject, action = 'block') => ({
  rule: [{ name: 'admin', priority: 1, action: [{ [action]: [{}] }], statement: [statement] }],
});
const both = (...statement: JsonObject[]) => ({ and_statement: [{ statement }] });

describe('texts that requests are searched for', () => {
  testLevels([
    ['aws_wafv2_rule_group', acl(match('/admin', 'LOWERCASE')), acl(match('/Admin', 'LOWERCASE')), 'high', 'R-SEC-WAF'],
    ['aws_wafv2_rule_group', acl(match('/Admin', 'NONE')), acl(match('/Admin', 'LOWERCASE')), 'high', 'R-SEC-WAF'],
    [
      'aws_wafv2_web_acl',
      acl(both(match('/x', 'NONE'), match('/admin', 'LOWERCASE'))),
      acl(both(match('/x', 'NONE'), match('/Admin', 'LOWERCASE'))),
      'high',
      'R-SEC-WAF',
    ],
  ]);
  testLevels([['aws_wafv2_rule_group', acl(match('/Admin', 'NONE')), acl(match('/admin', 'LOWERCASE')), 'medium']]);
});

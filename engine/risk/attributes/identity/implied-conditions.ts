/** Whether a call that meets one condition of an AWS policy also meets another. */
import { contains, parseCidr } from '../../../lib/cidr.ts';
import { conditionEntries, type Statement } from './policy.ts';
import { matchesWildcard } from './wildcard.ts';

type Values = readonly string[];
type Implies = (inner: Values, outer: Values) => boolean;

const QUANTIFIER = /^(forallvalues|foranyvalue):/;
const IF_EXISTS = /ifexists$/;

interface Operator {
  quantifier: string;
  name: string;
  if_exists: boolean;
}

/** Returns true when every call that meets the conditions of `inner` meets those of `outer`. */
export function impliesCondition(inner: Statement, outer: Statement): boolean {
  const given = conditionEntries(inner.condition);
  return conditionEntries(outer.condition).every(([operator, key, values]) =>
    given.some(([other, name, known]) => name === key && impliesEntry(readOperator(other), known, operator, values)),
  );
}

function impliesEntry(inner: Operator, known: Values, operator: string, values: Values): boolean {
  const outer = readOperator(operator);
  if (inner.quantifier !== outer.quantifier || (inner.if_exists && !outer.if_exists)) return false;
  if (known.length === 0) return false;
  const implies = OPERATORS[outer.name];
  if (implies === undefined) return inner.name === outer.name && known.every((value) => values.includes(value));
  return implies(inner.name)(known, values);
}

function readOperator(operator: string): Operator {
  const quantifier = QUANTIFIER.exec(operator)?.[1] ?? '';
  const name = operator.replace(QUANTIFIER, '').replace(IF_EXISTS, '');
  return { quantifier, name, if_exists: IF_EXISTS.test(operator) };
}

const never: Implies = () => false;
const allWithin =
  (test: (value: string, limit: string) => boolean): Implies =>
  (inner, outer) =>
    inner.every((value) => outer.some((limit) => test(value, limit)));
const turned =
  (implies: Implies): Implies =>
  (inner, outer) =>
    implies(outer, inner);

const isSame = (value: string, limit: string): boolean => value === limit;
const matches = (value: string, pattern: string): boolean => value === pattern || matchesWildcard(pattern, value);
const isInside = (value: string, network: string): boolean => {
  const [inner, outer] = [parseCidr(value), parseCidr(network)];
  return value === network || (inner !== undefined && outer !== undefined && contains(outer, inner));
};
/** Patterns as literal texts: only those without wildcards mean the same. */
const isLiteral: Implies = (inner, outer) => inner.every((value) => !/[*?]/.test(value) && outer.includes(value));

const LITERAL = /^(?:string|arn)equals$/;
const PATTERN = /^(?:stringlike|arnlike|arnequals)$/;
const NOT_LITERAL = /^(?:string|arn)notequals$/;
const NOT_PATTERN = /^(?:stringnotlike|arnnotlike|arnnotequals)$/;

/** For each operator of the outer condition: which values an inner condition with another operator must have. */
const OPERATORS: Readonly<Record<string, (inner: string) => Implies>> = {
  stringequals: (inner) => (inner === 'stringequals' ? allWithin(isSame) : PATTERN.test(inner) ? isLiteral : never),
  stringlike: (inner) => (LITERAL.test(inner) || PATTERN.test(inner) ? allWithin(matches) : never),
  arnequals: (inner) => (LITERAL.test(inner) || PATTERN.test(inner) ? allWithin(matches) : never),
  arnlike: (inner) => (LITERAL.test(inner) || PATTERN.test(inner) ? allWithin(matches) : never),
  stringnotequals: (inner) => (NOT_PATTERN.test(inner) || NOT_LITERAL.test(inner) ? turned(allWithin(matches)) : never),
  stringnotlike: (inner) => (NOT_PATTERN.test(inner) ? turned(allWithin(matches)) : never),
  arnnotequals: (inner) => (NOT_PATTERN.test(inner) ? turned(allWithin(matches)) : never),
  arnnotlike: (inner) => (NOT_PATTERN.test(inner) ? turned(allWithin(matches)) : never),
  ipaddress: (inner) => (inner === 'ipaddress' ? allWithin(isInside) : never),
  notipaddress: (inner) => (inner === 'notipaddress' ? turned(allWithin(isInside)) : never),
  ...compare(['numericlessthan', 'numericlessthanequals'], (value, limit) => value <= limit),
  ...compare(['numericgreaterthan', 'numericgreaterthanequals'], (value, limit) => value >= limit),
};

function compare(
  names: readonly string[],
  test: (value: number, limit: number) => boolean,
): Record<string, (inner: string) => Implies> {
  const isWithin = allWithin((value, limit) => test(Number(value), Number(limit)));
  return Object.fromEntries(names.map((name) => [name, (inner: string) => (inner === name ? isWithin : never)]));
}

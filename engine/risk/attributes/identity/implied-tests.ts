/** Whether one condition in CEL accepts nothing that another one refuses, as far as their tests can be compared. */
import { splitTop } from '../expressions.ts';

/** One test of a condition: a claim that equals one of some texts, begins with one, or is a time before one. */
interface Test {
  claim: string;
  is: 'one_of' | 'begins' | 'before';
  values: readonly string[];
}

const EQUALS = /^([\w.]{1,100}(?:\['[\w.-]{1,60}'\])?) ?== ?(["'])([^"']{1,500})\2$/;
const TURNED = /^(["'])([^"']{1,500})\1 ?== ?([\w.]{1,100})$/;
const LISTED = /^([\w.]{1,100}) in \[([^\]]{1,2000})\]$/;
const BEGINS = /^([\w.]{1,100})\.startsWith\( ?(["'])([^"']{1,500})\2 ?\)$/;
const UNTIL = /^([\w.]{1,100}) ?<=? ?timestamp\( ?(["'])([^"']{1,60})\2 ?\)$/;
const MAX_CHARS = 4000;

/** Returns true when whatever meets `after` also meets `before`. */
export function requiresAll(after: string, before: string): boolean {
  const accepted = splitTop(before, '||').map((one) => splitTop(one, '&&').map(normalize));
  return splitTop(after, '||').every((one) => {
    const tests = splitTop(one, '&&').map(normalize);
    return accepted.some((demanded) => demanded.every((demand) => tests.some((test) => implies(test, demand))));
  });
}

function normalize(test: string): string {
  return test.trim().replace(/\s+/g, ' ');
}

function implies(test: string, demand: string): boolean {
  if (test === demand) return true;
  const [one, other] = [readTest(test), readTest(demand)];
  if (one === null || other === null) return false;
  return one.values.every((value) =>
    other.values.some((limit) => isWithin({ ...one, value }, { ...other, value: limit })),
  );
}

interface Single extends Pick<Test, 'claim' | 'is'> {
  value: string;
}

function isWithin(one: Single, other: Single): boolean {
  if (one.claim === other.claim) {
    if (one.is === 'before' || other.is === 'before')
      return one.is === other.is && Date.parse(one.value) <= Date.parse(other.value);
    if (other.is === 'one_of') return one.is === 'one_of' && one.value === other.value;
    return one.value.startsWith(other.value);
  }
  const owner = readOwner(one);
  return owner !== null && other.is !== 'before' && owner === readWholeOwner(other);
}

const OWNER_CLAIM = /\.(?:repository_owner|namespace_path)$/;
const REPOSITORY_CLAIM = /\.(?:repository|project_path)$/;

/** The owner of everything that a test accepts: `acme` of `repository == 'acme/shop'`. */
function readOwner({ claim, is, value }: Single): string | null {
  if (OWNER_CLAIM.test(claim)) return is === 'one_of' ? value : null;
  const end = REPOSITORY_CLAIM.test(claim) ? value.indexOf('/') : -1;
  return end > 0 ? value.slice(0, end) : null;
}

/** The owner of whom a test accepts everything. */
function readWholeOwner({ claim, is, value }: Single): string | null {
  if (OWNER_CLAIM.test(claim)) return is === 'one_of' ? value : null;
  if (!REPOSITORY_CLAIM.test(claim) || is !== 'begins' || !value.endsWith('/')) return null;
  const owner = value.slice(0, -1);
  return owner.includes('/') ? null : owner;
}

function readTest(test: string): Test | null {
  if (test.length > MAX_CHARS) return null;
  const equals = EQUALS.exec(test);
  if (equals !== null) return { claim: equals[1]!, is: 'one_of', values: [equals[3]!] };
  const turned = TURNED.exec(test);
  if (turned !== null) return { claim: turned[3]!, is: 'one_of', values: [turned[2]!] };
  const begins = BEGINS.exec(test);
  if (begins !== null) return { claim: begins[1]!, is: 'begins', values: [begins[3]!] };
  const until = UNTIL.exec(test);
  if (until !== null) return { claim: until[1]!, is: 'before', values: [until[3]!] };
  const listed = LISTED.exec(test);
  if (listed === null) return null;
  const values = listed[2]!.split(',').map((item) => item.trim().replace(/^["']|["']$/g, ''));
  return { claim: listed[1]!, is: 'one_of', values };
}

import { domainToASCII } from 'node:url';
import { InvalidInput } from '../../lib/errors.ts';

const MAX_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Normalizes an email domain for storage: lower case, international names in ASCII form (`xn--…`).
 *
 * @throws InvalidInput `invalid_domain` that says what is wrong
 * @see openapi.yaml, DomainCreate.domain; RFC 1035, section 2.3.1 and RFC 5890 (labels); RFC 1123, section 2.1
 */
export function parseDomain(value: string): string {
  refuseIf(value.includes('://'), value, 'leave out the protocol prefix');
  refuseIf(value.includes('@'), value, 'give only the part after the "@"');
  refuseIf(/[\s\p{Cc}]/u.test(value), value, 'it must not contain spaces or control characters');
  refuseIf(/[^\p{L}\p{N}\p{M}.\u3002-]/u.test(value), value, 'it may contain only letters, digits, hyphens and dots');
  const domain = domainToASCII(value);
  refuseIf(!domain.includes('.'), value, 'it must contain a dot and be a name, such as "example.com"');
  refuseIf(domain.endsWith('.'), value, 'remove the dot at the end');
  refuseIf(domain.length > MAX_LENGTH, value, `it must have at most ${MAX_LENGTH} characters`);
  const labels = domain.split('.');
  refuseIf(
    !labels.every((label) => LABEL.test(label)),
    value,
    'each part must have 1 to 63 letters, digits or inner hyphens',
  );
  refuseIf(/^\d+$/.test(labels.at(-1) ?? ''), value, 'it must be a name, not an IP address');
  return domain;
}

/**
 * The domain of an email address: the part after its last `@`, in lower case. Only ASCII letters are lower-cased: some
 * letters of other scripts become ASCII in lower case, and a look-alike must not become the domain that it imitates.
 *
 * @returns empty if the text is not an email address
 */
export function extractDomain(email: string): string {
  const at = email.lastIndexOf('@');
  return at === -1 ? '' : asciiLower(email.slice(at + 1));
}

export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function refuseIf(wrong: boolean, value: string, reason: string): void {
  if (wrong) throw new InvalidInput(`"${value}" is not a domain that can be allowed: ${reason}`, 'invalid_domain');
}

import { isSameArn } from '../canonical/arns.ts';
import { isSameLink } from '../canonical/google-links.ts';
import { addressForm, regionForm } from '../canonical/names.ts';
import type { ResourceLocation } from '../canonical/resource-location.ts';
import { durationForm, timeForm } from '../canonical/times.ts';
import { asciiLower } from '../canonical/values.ts';
import { dropTrailing } from '../lib/trim.ts';

/** Whether two texts are formats of the same value; returns false unless proven. */
type Compare = (before: string, after: string, location: ResourceLocation) => boolean;

export type Form = keyof typeof FORMS;

/** Quoted text (the group holds the closing quote, if any) or a run of whitespace. */
const QUOTED_OR_BLANKS = /"[^"\\]*(?:\\.[^"\\]*)*("?)|\s+/g;

const FORMS = {
  case: createFormComparison(asciiLower),
  /** Whitespace and line breaks outside quoted text. */
  blanks: createFormComparison((text) => text.trim().replace(QUOTED_OR_BLANKS, plainBlanks)),
  last_slash: createFormComparison((text) => text.replace(/\/$/, '')),
  last_newline: createFormComparison((text) => dropTrailing(text, '\r\n')),
  first_slash: createFormComparison((text) => text.replace(/^\//, '')),
  /** `100.0` and `100.00`. */
  decimal: createFormComparison((text) => (/^-?\d+(\.\d+)?$/.test(text) ? plainDecimal(text) : null)),
  /** `60s` and `1m`. */
  duration: createFormComparison(durationForm),
  /** `4:00` and `04:00`. */
  clock: createFormComparison(timeForm),
  /** `West Europe` and `westeurope`. */
  region: createFormComparison(regionForm),
  /** `2001:DB8:0::1` and `2001:db8::1`, with or without a prefix length. */
  ipv6: createFormComparison(addressForm),
  /** A Google resource by full link, by path, or by name if it is in the same location. */
  link: isSameLink,
  /** A URL in two versions of an API: `/v1/` and `/v1beta1/`. */
  api_version: createFormComparison(withoutApiVersion),
  /** A name and the ARN of the same account that ends in it. */
  arn: isSameArn,
} satisfies Record<string, Compare>;

export function compareBy(form: Form): Compare {
  return FORMS[form];
}

function createFormComparison(write: (text: string) => string | null): Compare {
  return (before, after) => {
    const left = write(before);
    return left !== null && left === write(after);
  };
}

const API_VERSION = /^(?:v\d{1,4}(?:(?:alpha|beta|p)\d{0,4}){0,4}|alpha|beta)$/;

/** Null if the text is no URL with a version in its path. */
function withoutApiVersion(text: string): string | null {
  if (!text.startsWith('https://')) return null;
  const parts = text.split('/');
  const at = parts.findIndex((part, i) => i > 2 && API_VERSION.test(part));
  return at < 0 ? null : parts.with(at, '*').join('/');
}

/** An unclosed quote does not protect whitespace. */
function plainBlanks(run: string, closing: string | undefined): string {
  return closing === '"' ? run : run.replace(/\s+/g, ' ');
}

function plainDecimal(text: string): string {
  const short = text.includes('.') ? dropTrailing(text, '0').replace(/\.$/, '') : text;
  return short.replace(/^(-?)0+(?=\d)/, '$1');
}

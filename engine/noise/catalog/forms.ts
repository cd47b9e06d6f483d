import { isSameArn } from '../../canonical/arns.ts';
import { isSameLink } from '../../canonical/google-links.ts';
import { addressForm, regionForm } from '../../canonical/names.ts';
import type { ResourceLocation } from '../../canonical/resource-location.ts';
import { durationForm, timeForm } from '../../canonical/times.ts';
import { asciiLower } from '../../canonical/values.ts';
import { dropTrailing } from '../../trim.ts';

/** Whether two texts are two ways of writing one value; each form is a proof, and what it cannot prove differs. */
type Compare = (before: string, after: string, location: ResourceLocation) => boolean;

export type Form = keyof typeof FORMS;

/** Quoted text, its group holding the closing quote where there is one; or a run of blanks. */
const QUOTED_OR_BLANKS = /"[^"\\]*(?:\\.[^"\\]*)*("?)|\s+/g;

const FORMS = {
  case: createFormComparison(asciiLower),
  /** Runs of blanks and line ends, quoted text aside. */
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
  /** A Google resource by full link, by path, or by its name alone where it lives beside what names it. */
  link: isSameLink,
  /** A name against the ARN that ends in it, of the same account. */
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

/** A quote that does not end quotes nothing. */
function plainBlanks(run: string, closing: string | undefined): string {
  return closing === '"' ? run : run.replace(/\s+/g, ' ');
}

function plainDecimal(text: string): string {
  const short = text.includes('.') ? dropTrailing(text, '0').replace(/\.$/, '') : text;
  return short.replace(/^(-?)0+(?=\d)/, '$1');
}

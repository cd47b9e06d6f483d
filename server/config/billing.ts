import { z } from 'zod';
import { baseUrl } from './values.ts';

/** Environment variables of the payment provider. */
export const BILLING_VARIABLES = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'must be a secret or restricted key, which starts with sk_ or rk_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, 'must be the signing secret of an endpoint, which starts with whsec_')
    .optional(),
  STRIPE_API_URL: baseUrl().default('https://api.stripe.com'),
  STRIPE_PRICE_TEAM: price(),
  STRIPE_PRICE_ENTERPRISE: price(),
  STRIPE_PRICE_SEAT: price(),
};

type BillingVariables = z.infer<z.ZodObject<typeof BILLING_VARIABLES>>;
type Name = keyof BillingVariables;

function price() {
  return z
    .string()
    .regex(/^price_/, 'must be the ID of a price, which starts with price_')
    .optional();
}

const NEEDED = ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_TEAM', 'APP_URL'] as const;
const USELESS_ALONE = [
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_TEAM',
  'STRIPE_PRICE_ENTERPRISE',
  'STRIPE_PRICE_SEAT',
] as const;

/** Problems that no single variable shows; invalid values count as set. */
export function billingContradictions(given: Partial<Record<Name | 'APP_URL', unknown>>): string[] {
  if (given.STRIPE_SECRET_KEY === undefined) {
    const alone = USELESS_ALONE.filter((name) => given[name] !== undefined);
    return alone.map((name) => `${name} also needs STRIPE_SECRET_KEY`);
  }
  return NEEDED.filter((name) => given[name] === undefined).map((name) => `${name} is required with STRIPE_SECRET_KEY`);
}

/** Called after billingContradictions found no problem. */
export function billingSettings(given: BillingVariables) {
  const { STRIPE_SECRET_KEY: secret_key, STRIPE_WEBHOOK_SECRET: webhook_secret, STRIPE_API_URL: api_url } = given;
  const { STRIPE_PRICE_TEAM: team = '', STRIPE_PRICE_ENTERPRISE: enterprise = null } = given;
  return {
    /** null = no payment provider: platform admins set plans. */
    stripe: secret_key === undefined || webhook_secret === undefined ? null : { secret_key, webhook_secret, api_url },
    prices: { team, enterprise, seat: given.STRIPE_PRICE_SEAT ?? null },
  };
}

import { z } from 'zod';
import { parseUrl } from '../lib/parse-url.ts';
import { readSigningKeys } from '../lib/signing-keys.ts';
import { describePlainHttp, isPlainHttp, list, signingKey } from './values.ts';

/** Environment variables of workload identity: that of this deployment at clouds, and that of CI jobs here. */
export const FEDERATION_VARIABLES = {
  FEDERATION_SUBJECT: z
    .string()
    .regex(/^[\w:./-]{1,100}$/, 'must be 1 to 100 letters, digits and : . / _ -')
    .optional(),
  FEDERATION_SIGNING_KEY: signingKey().optional(),
  FEDERATION_AWS_PRINCIPAL_ARN: z.string().regex(/^arn:/, 'must be an ARN').optional(),
  FEDERATION_AWS_ACCESS_KEY_ID: z.string().optional(),
  FEDERATION_AWS_SECRET_ACCESS_KEY: z.string().optional(),
  FEDERATION_AWS_TEMPLATE_URL: z.url({ protocol: /^https$/, error: 'must be an https:// URL' }).optional(),
  FEDERATION_GCP_AUDIENCE: z.string().optional(),
  FEDERATION_TRUSTED_ISSUERS: list()
    .refine(
      (issuers) => issuers.every((issuer) => /^https?:\/\//.test(issuer) && parseUrl(issuer) !== undefined),
      'must be URLs',
    )
    .default(['https://token.actions.githubusercontent.com', 'https://gitlab.com']),
};

type Variables = z.infer<z.ZodObject<typeof FEDERATION_VARIABLES>>;

/** Problems that no single variable shows; invalid values count as set. */
export function federationContradictions(
  given: Partial<Record<keyof Variables | 'NODE_ENV' | 'DATABASE_URL', unknown>>,
): string[] {
  const production = given.NODE_ENV === 'production';
  const isSet = (name: keyof typeof given) => given[name] !== undefined;
  const rules: [boolean, string][] = [
    [production && isPlainHttp(given.FEDERATION_TRUSTED_ISSUERS), describePlainHttp('FEDERATION_TRUSTED_ISSUERS')],
    [
      production && isSet('DATABASE_URL') && isSet('FEDERATION_SUBJECT') && !isSet('FEDERATION_SIGNING_KEY'),
      'FEDERATION_SIGNING_KEY is required with FEDERATION_SUBJECT and DATABASE_URL when NODE_ENV=production: ' +
        '`openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256` creates a key for AWS and Google Cloud, and ' +
        '`openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048` one for Azure; set both',
    ],
    [
      isSet('FEDERATION_AWS_ACCESS_KEY_ID') !== isSet('FEDERATION_AWS_SECRET_ACCESS_KEY'),
      'FEDERATION_AWS_ACCESS_KEY_ID and FEDERATION_AWS_SECRET_ACCESS_KEY must be set together',
    ],
    [
      isSet('FEDERATION_AWS_ACCESS_KEY_ID') && !isSet('FEDERATION_AWS_PRINCIPAL_ARN'),
      'FEDERATION_AWS_ACCESS_KEY_ID also needs FEDERATION_AWS_PRINCIPAL_ARN, the ARN of the principal that the key belongs to',
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, message]) => message);
}

export function awsKeys({ FEDERATION_AWS_ACCESS_KEY_ID: id, FEDERATION_AWS_SECRET_ACCESS_KEY: secret }: Variables) {
  return id === undefined || secret === undefined ? null : { accessKeyId: id, secretAccessKey: secret };
}

/** Without configured keys, the service creates one of each algorithm. */
function signsRs256({ FEDERATION_SIGNING_KEY: text }: Variables): boolean {
  return text === undefined || readSigningKeys(text).some(({ algorithm }) => algorithm === 'RS256');
}

export function federationSettings(given: Variables & { API_URL?: string | undefined }) {
  return {
    api_url: given.API_URL ?? null,
    subject: given.FEDERATION_SUBJECT ?? null,
    signs_rs256: signsRs256(given),
    aws_principal_arn: given.FEDERATION_AWS_PRINCIPAL_ARN ?? null,
    aws_template_url: given.FEDERATION_AWS_TEMPLATE_URL ?? null,
    gcp_audience: given.FEDERATION_GCP_AUDIENCE ?? null,
    trusted_issuers: given.FEDERATION_TRUSTED_ISSUERS,
  };
}

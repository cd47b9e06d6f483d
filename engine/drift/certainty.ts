import type { Certainty, CloudProvider, DriftType } from './types.ts';

/** Services of AWS whose answers may lag behind what was changed. */
const LAGGING = /^AWS::(?:IAM|S3|Organizations|CloudFront|Route53)::/;

/**
 * How certain a difference is. Cloud Asset and Resource Graph are indexes that lag minutes behind; Cloud Control asks the
 * service itself. What is missing may just not be listed yet, so it needs a second read everywhere.
 *
 * @param reads how often the difference was seen in a row
 */
export function findCertainty(
  drift_type: DriftType,
  { provider, provider_type, reads }: { provider: CloudProvider; provider_type: string | null; reads: number },
): Certainty {
  if (reads >= 2) return 'confirmed';
  const is_direct = provider === 'aws' && provider_type !== null && !LAGGING.test(provider_type);
  return is_direct && drift_type !== 'missing' ? 'confirmed' : 'potential';
}

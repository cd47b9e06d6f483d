import type { Certainty, CloudProvider, DriftType } from './types.ts';

/** Services of AWS whose answers may lag behind what was changed. */
const LAGGING = /^AWS::(?:IAM|S3|Organizations|CloudFront|Route53)::/;

export interface Sighting {
  provider: CloudProvider;
  provider_type: string | null;
  /** How often the difference was seen in a row. */
  reads: number;
  /** The service itself was asked, not an index of all services. */
  is_direct: boolean;
  /** Nothing says that the listing was complete. */
  is_assumed: boolean;
}

/**
 * How certain a difference is. Cloud Asset and Resource Graph are indexes that lag minutes behind; Cloud Control asks the
 * service itself. What is missing may just not be listed yet, so it needs a second read everywhere.
 */
export function findCertainty(drift_type: DriftType, sighting: Sighting): Certainty {
  const { provider, provider_type, reads, is_direct, is_assumed } = sighting;
  if (is_assumed && drift_type !== 'changed') return 'potential';
  if (reads >= 2) return 'confirmed';
  const is_current = provider === 'aws' && is_direct && provider_type !== null && !LAGGING.test(provider_type);
  return is_current && drift_type !== 'missing' ? 'confirmed' : 'potential';
}

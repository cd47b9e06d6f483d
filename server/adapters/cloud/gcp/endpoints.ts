import type { GcpService } from './calls.ts';

/** Base URL of each service, without a trailing slash. */
export type GcpEndpoints = Record<GcpService, string>;

export const GCP_ENDPOINTS: GcpEndpoints = {
  oauth2: 'https://oauth2.googleapis.com',
  sts: 'https://sts.googleapis.com',
  iamcredentials: 'https://iamcredentials.googleapis.com',
  cloudresourcemanager: 'https://cloudresourcemanager.googleapis.com',
  cloudasset: 'https://cloudasset.googleapis.com',
};

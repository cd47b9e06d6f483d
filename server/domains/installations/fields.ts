import type { HostedInstallation } from '../../lib/github-installation.ts';
import type { InstallationFields } from './types.ts';

/** What GitHub says of an installation, as it is stored. */
export function toInstallationFields({ is_suspended, ...hosted }: HostedInstallation): InstallationFields {
  return { ...hosted, status: is_suspended ? 'suspended' : 'active' };
}

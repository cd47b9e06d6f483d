import type { HostedInstallation } from '../../lib/github-installation.ts';
import type { InstallationFields } from './types.ts';

/** GitHub's data about an installation, as it is stored. */
export function toInstallationFields({ is_suspended, ...hosted }: HostedInstallation): InstallationFields {
  return { ...hosted, status: is_suspended ? 'suspended' : 'active' };
}

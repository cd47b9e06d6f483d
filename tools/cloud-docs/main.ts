/** Writes the pages about cloud accounts that are made from tables: `npm run cloud-docs`. */
import { writeFileSync } from 'node:fs';
import { writeAwsTypes } from './aws-types.ts';

writeFileSync(new URL('../../docs/cloud-accounts/aws-types.md', import.meta.url), writeAwsTypes());

/** What relations between resources read of a plan. */
import { GROUP_READS } from './everyone.ts';
import { FIT_READS } from './fits/index.ts';
import { NEED_READS } from './needs/index.ts';
import { mergeReads, type Reads } from './reads.ts';
import { SHIELD_READS } from './shields.ts';

export const NEIGHBOR_READS: Reads = mergeReads([...FIT_READS, ...NEED_READS, ...GROUP_READS, ...SHIELD_READS]);

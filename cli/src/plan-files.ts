import { open } from 'node:fs/promises';
import { looksLikePlan } from '../../engine/index.ts';

const HEAD_BYTES = 65_536;

/** Whether a file that is not a valid plan was probably meant as one. */
export async function isLikelyPlan(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head);
    return looksLikePlan(path, head.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

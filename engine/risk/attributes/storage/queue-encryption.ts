/** A queue is encrypted with a key of the SQS service or with a customer-managed key; either one is sufficient. */
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { isEmpty, member, truth } from '../values.ts';

const SWITCH = 'sqs_managed_sse_enabled';
const KEY = 'kms_master_key_id';

function isClear(side: Value): boolean {
  return truth(member(side, SWITCH)) === false && isEmpty(member(side, KEY));
}

function judgeQueue(subject: Subject): void {
  const { before, after } = subject;
  if (!isClear(after) || isClear(before) || subject.isUnknown(SWITCH) || subject.isUnknown(KEY)) return;
  subject.add({
    rule: 'R-ENC-OFF',
    level: subject.mode === 'create' ? 'medium' : 'high',
    path: [SWITCH],
    message: 'Messages in the queue are stored without encryption: neither SSE-SQS nor a KMS key is set.',
  });
  subject.setDirection([SWITCH], 'weakening');
}

/** Watches no path, because the provider computes the setting on a new queue and an unknown value is no risk. */
export const QUEUE_RULES: readonly Rule[] = [
  { types: ['aws_sqs_queue'], watches: [], modes: ['create', 'update', 'replace'], find: judgeQueue },
];

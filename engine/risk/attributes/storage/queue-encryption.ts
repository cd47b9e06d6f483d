/** A queue is encrypted with a key of the queue service or with one of its own; either may take the place of the other. */
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
    message: 'Messages in the queue are stored without encryption: no key of its own, and none of the service.',
  });
  subject.setDirection([SWITCH], 'weakening');
}

/** Watches no path: on a new queue the provider computes the switch, and that it is unknown hides nothing. */
export const QUEUE_RULES: readonly Rule[] = [
  { types: ['aws_sqs_queue'], watches: [], modes: ['create', 'update', 'replace'], find: judgeQueue },
];

import type { JsonError } from '../json/errors.ts';
import { findCompression, findMarkup, isZip } from '../json/file-kinds.ts';
import type { SourceErrors } from '../json/source.ts';
import { StateError } from './errors.ts';

const PULL = '`terraform state pull > state.json` (with OpenTofu: `tofu state pull`)';
const SHOW = '`terraform show -json > state.json`';

/** Phrases that identify human-readable output of Terraform and OpenTofu. */
const HUMAN_OUTPUT = /^(?:#|Outputs:|The state file is empty|No state|[╷│])|resource "[a-z]/;

/** Returns the error for text that does not begin with an object. Quotes nothing, because a state contains secrets. */
function refuseText(head: Buffer): StateError {
  const text = head.toString('utf8').trimStart();
  if (text === '') {
    return new StateError(
      'empty_state',
      `The file is empty. A state that records nothing is not empty; write the file with ${PULL}.`,
    );
  }
  return refuseBinary(head) ?? refuseMarkup(text) ?? refuseOtherText(text);
}

function refuseBinary(head: Buffer): StateError | null {
  const found = findCompression(head, 'state.json');
  if (found !== undefined) {
    return new StateError(
      'encoded_state',
      `This file is compressed with ${found.name}. Decompress it first: \`${found.command}\`.`,
    );
  }
  if (isZip(head)) {
    return new StateError(
      'not_a_state',
      `This is a ZIP file, such as a binary plan of \`terraform plan -out\`, not a state. Write the state with ${PULL}.`,
    );
  }
  if (!head.includes(0)) return null;
  return new StateError('not_a_state', `This is a binary file, not a state. Write the state with ${PULL}.`);
}

function refuseMarkup(text: string): StateError | null {
  const kind = findMarkup(text);
  if (kind === undefined) return null;
  return new StateError(
    'not_a_state',
    `This is ${kind}, not a state: probably the login or error page of a server. Check its address and your permission, or write the state with ${PULL}.`,
  );
}

function refuseOtherText(text: string): StateError {
  if (text.startsWith('[') || text.startsWith('"')) {
    return new StateError(
      'not_a_state',
      `This is JSON, but not an object, so it is not a state. Write it with ${PULL}.`,
    );
  }
  if (HUMAN_OUTPUT.test(text) || text.startsWith('\u001b[')) {
    return new StateError(
      'not_a_state',
      `This is text for people, such as the output of \`terraform show\`, not JSON. Write it with ${PULL} or ${SHOW}.`,
    );
  }
  return new StateError('not_a_state', `This is not JSON, so it is not a state. Write the state with ${PULL}.`);
}

function refuseTruncated(bytes: number): StateError {
  return new StateError(
    'truncated_state',
    `The JSON ends after ${bytes} bytes: the file is truncated. Write it again with ${PULL}, and check that the disk is not full and the transfer is complete.`,
  );
}

function refuseTextAfterEnd(at: number): StateError {
  return new StateError(
    'invalid_state_json',
    `There is more text after the end of the state's JSON (at byte ${at}). Use a file with one state only: ${PULL}.`,
  );
}

function refuseInvalid({ problem, message }: JsonError): StateError {
  const advice = problem === 'syntax' ? ` The file is damaged. Write it again with ${PULL}.` : '';
  return new StateError('invalid_state_json', `${message}${advice}`);
}

function refuseUtf16(): StateError {
  return new StateError(
    'encoded_state',
    "This file is in UTF-16, as `>` of Windows PowerShell writes it, which can damage names and values. Write it as UTF-8: `cmd /c 'terraform state pull > state.json'`.",
  );
}

/** Errors about a file that is not one JSON object. */
export const STATE_ERRORS: SourceErrors = {
  notObject: refuseText,
  truncated: refuseTruncated,
  textAfterEnd: refuseTextAfterEnd,
  invalid: refuseInvalid,
  utf16: refuseUtf16,
};

export function refuseDuplicate(name: string): StateError {
  return new StateError(
    'invalid_state_json',
    `The state has the member "${name}" twice, so it is not clear which one counts. Write it again with ${PULL}.`,
  );
}

/** @param problem such as `serial is not a whole number` */
export function refuseMember(problem: string): StateError {
  return new StateError('invalid_state_json', `The state is not valid: ${problem}. Write it again with ${PULL}.`);
}

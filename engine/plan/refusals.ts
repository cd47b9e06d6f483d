import type { JsonError } from '../json/errors.ts';
import type { SourceErrors } from '../json/source.ts';
import { PlanError } from './errors.ts';

const SHOW = '`terraform show -json tfplan > plan.json` (with OpenTofu: `tofu show -json`)';
const PLAN_THEN_SHOW = `save the plan with \`terraform plan -out tfplan\` and send the output of ${SHOW}`;

/** Returns the error for text that does not begin with an object. */
function refuseText(head: Buffer): PlanError {
  const text = head.toString('utf8').trimStart();
  if (text === '') return new PlanError(`The plan is empty. Send the output of ${SHOW}.`);
  if (head[0] === 0x50 && head[1] === 0x4b) {
    return new PlanError(
      `This is a binary plan file, written by \`terraform plan -out\`. Convert it to JSON with ${SHOW}.`,
    );
  }
  if (head[0] === 0x1f && head[1] === 0x8b) {
    return new PlanError('This file is compressed with gzip. Decompress it first: `gunzip plan.json.gz`.');
  }
  return refuseNonObject(text) ?? refuseHumanText(text);
}

function refuseNonObject(text: string): PlanError | null {
  const found = NON_OBJECTS.find(({ begins }) => begins.test(text));
  if (found === undefined) return null;
  return new PlanError(`This is JSON, but it is ${found.what}; a plan is an object. Send the output of ${SHOW}.`);
}

const NON_OBJECTS = [
  { begins: /^\[\s*(?:[[\]{"\-\d]|true|false|null|$)/, what: 'a list' },
  { begins: /^"/, what: 'a single string (was the plan encoded twice?)' },
  { begins: /^-?\d[\d.eE+-]*\s*$/, what: 'a single number' },
  { begins: /^(?:true|false|null)\s*$/, what: 'a single keyword' },
];

/** Phrases that identify human-readable output of Terraform and OpenTofu, with or without colors. */
const HUMAN_OUTPUT =
  /Terraform|OpenTofu|Refreshing state|Reading\.\.\.|No changes\.|will be (?:created|destroyed|updated|replaced)|Plan: \d+ to|^[╷│]/;

function refuseHumanText(text: string): PlanError {
  if (HUMAN_OUTPUT.test(text) || text.startsWith('\u001b[')) {
    return new PlanError(
      `This is the human-readable output of \`terraform plan\`, not JSON. Instead, ${PLAN_THEN_SHOW}.`,
    );
  }
  const begin = JSON.stringify(text.slice(0, 20).toWellFormed());
  return new PlanError(`This is not JSON: it begins with ${begin}. Send the output of ${SHOW}.`);
}

export function refuseLogLines(): PlanError {
  return new PlanError(
    `These are the log lines of \`terraform plan -json\`, which do not contain the planned values. Instead, ${PLAN_THEN_SHOW}.`,
  );
}

function refuseTruncated(bytes: number): PlanError {
  return new PlanError(
    `The JSON ends after ${bytes} bytes: the file is truncated. Write it again with ${SHOW}, and check that the disk is not full and the upload is complete.`,
  );
}

function refuseTextAfterEnd(at: number): PlanError {
  return new PlanError(
    `There is more text after the end of the plan's JSON (at byte ${at}). Send only one plan: the output of ${SHOW}.`,
  );
}

function refuseInvalid({ problem, message }: JsonError): PlanError {
  return new PlanError(
    problem === 'syntax' ? `${message} Write the file again with \`terraform show -json\`.` : message,
  );
}

/** Errors about a file that is not one JSON object. */
export const PLAN_ERRORS: SourceErrors = {
  notObject: refuseText,
  truncated: refuseTruncated,
  textAfterEnd: refuseTextAfterEnd,
  invalid: refuseInvalid,
};

/** Quotes the value only if it looks like a version, because any other value may be a secret. */
export function refuseVersion(version: string): PlanError {
  const quoted = /^[\d.]{1,20}$/.test(version) ? `"${version}"` : '(not a version)';
  return new PlanError(
    `The plan's format_version ${quoted} is not supported: dpa reads 0.x and 1.x. Update dpa, or use a Terraform or OpenTofu release that writes format 1.`,
    'unsupported_plan_version',
  );
}

/** Top-level members that only plans have. */
const PLAN_MEMBERS = ['resource_changes', 'planned_values', 'output_changes', 'resource_drift', 'plan_format_version'];

/** Other documents and the members that identify them. The first match wins. */
const OTHER_DOCUMENTS: { all: string[]; what: string; instead: string }[] = [
  { all: ['version', 'lineage'], what: 'a state file', instead: PLAN_THEN_SHOW },
  { all: ['version', 'serial'], what: 'a state file', instead: PLAN_THEN_SHOW },
  {
    all: ['values'],
    what: 'a state, which `terraform show -json` prints without a plan file',
    instead: PLAN_THEN_SHOW,
  },
  { all: ['provider_schemas'], what: 'the output of `terraform providers schema -json`', instead: PLAN_THEN_SHOW },
  { all: ['diagnostics', 'valid'], what: 'the output of `terraform validate -json`', instead: PLAN_THEN_SHOW },
  {
    all: ['remote_plan_format', 'run_id'],
    what: 'a bookmark of a remote HCP Terraform run, which `terraform plan -out` writes for remote runs',
    instead: `send the output of ${SHOW}`,
  },
];

/**
 * * Checks that an object is a plan.
 *
 * @param members the names of its top-level members
 * @see openapi.yaml, AnalyzeRequest.plan_json
 */
export function assertPlanMembers(members: ReadonlySet<string>): void {
  if (PLAN_MEMBERS.some((name) => members.has(name))) return;
  const other = OTHER_DOCUMENTS.find(({ all }) => all.every((name) => members.has(name)));
  if (other !== undefined) throw new PlanError(`This is ${other.what}, not a plan. Instead, ${other.instead}.`);
  if (members.has('format_version')) return;
  throw new PlanError(
    `This JSON is not a plan: it has none of the members format_version, ${PLAN_MEMBERS.join(', ')}. Send the output of ${SHOW}.`,
  );
}

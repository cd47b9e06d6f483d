/** Error classes of plans, as in the contract, Error.error_class. */
export type PlanErrorClass = 'invalid_plan_json' | 'unsupported_plan_version';

/** Advice for errors about a plan that differs from Terraform's output. */
export const SEND_UNMODIFIED = 'Send the unmodified output of `terraform show -json`.';

/** The text is not a plan that can be analyzed. The message is for people: what was found, and what to run instead. */
export class PlanError extends Error {
  readonly error_class: PlanErrorClass;

  constructor(message: string, error_class: PlanErrorClass = 'invalid_plan_json') {
    super(message);
    this.name = 'PlanError';
    this.error_class = error_class;
  }
}

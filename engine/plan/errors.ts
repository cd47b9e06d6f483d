/** What is wrong with a plan's text; the names stand in the contract, Error.error_class. */
export type PlanErrorClass = 'invalid_plan_json' | 'unsupported_plan_version';

/** The text is no plan that we can judge. The message is for people: what was found, and what to run instead. */
export class PlanError extends Error {
  readonly error_class: PlanErrorClass;

  constructor(message: string, error_class: PlanErrorClass = 'invalid_plan_json') {
    super(message);
    this.name = 'PlanError';
    this.error_class = error_class;
  }
}

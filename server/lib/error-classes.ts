/**
 * All error classes of the service: their statuses, and their meaning for a caller. This is the only source of the
 * table in the served contract, and of the type that `ServiceError` accepts.
 *
 * @see openapi.yaml, ErrorClass
 */
interface ErrorClassInfo {
  statuses: readonly number[];
  /** What went wrong and what to do, in Markdown. */
  meaning: string;
}

export const ERROR_CLASSES = {
  invalid_request: {
    statuses: [400, 408, 431],
    meaning: 'The request violates this contract. `details` lists each problem. Correct it and send it again.',
  },
  unknown_field: {
    statuses: [400],
    meaning: 'The body has a field that the operation does not know. Remove it, or correct its spelling.',
  },
  invalid_json: { statuses: [400], meaning: 'The body is not valid JSON in UTF-8, or repeats a key.' },
  invalid_plan_json: {
    statuses: [400],
    meaning: '`plan_json` is not a plan in JSON. The message names the command that makes one.',
  },
  unsupported_plan_version: {
    statuses: [400],
    meaning: 'The plan has a `format_version` that this release cannot read.',
  },
  plan_too_complex: {
    statuses: [400, 422],
    meaning: 'The plan has too many changes, or needs too much time or memory. Split it into smaller plans.',
  },
  invalid_config: {
    statuses: [400],
    meaning: 'A custom rule or the risk policy cannot be used as written. `details` points into it.',
  },
  array_length_mismatch: {
    statuses: [400],
    meaning: '`fingerprints` and `resource_addresses` have different lengths. They are read as pairs.',
  },
  invalid_domain: { statuses: [400], meaning: 'The text is not an email domain, such as `example.com`.' },
  invalid_owner: {
    statuses: [400],
    meaning: 'The text names no owner, or one that many organizations use. The message says what to write.',
  },
  invalid_cron: {
    statuses: [400],
    meaning: 'The text is not a cron expression of five fields, or it never matches. The message says what to write.',
  },
  invalid_period: {
    statuses: [400],
    meaning:
      'The period is empty, ends in the future, is too long, or is before what the plan of the organization covers.',
  },
  url_not_allowed: {
    statuses: [400],
    meaning: 'The service does not call this address. Use a public `https` address, or ask the operator to allow it.',
  },
  address_not_allowed: {
    statuses: [400],
    meaning: 'The service does not send email to this address. Use one in your own domain.',
  },
  invalid_grant: {
    statuses: [400],
    meaning: 'The token cannot be exchanged: it is invalid or expired, or matches no federation trust.',
  },
  invalid_scope: { statuses: [400], meaning: 'The token exchange asks for a scope that the trust does not grant.' },
  unsupported_grant_type: { statuses: [400], meaning: 'The token exchange supports only one `grant_type`.' },
  org_header_not_allowed: {
    statuses: [400],
    meaning: 'Do not send `X-Org-ID` here: the organization does not exist yet.',
  },
  ambiguous_credentials: {
    statuses: [400],
    meaning: 'The request has more than one credential. Send either `Authorization` or `x-api-key`.',
  },
  unauthenticated: { statuses: [401], meaning: 'The request has no credential.' },
  invalid_token: { statuses: [401], meaning: 'The access token is not valid. Sign in again.' },
  token_expired: { statuses: [401], meaning: 'The access token has expired. Get a new one.' },
  invalid_api_key: { statuses: [401], meaning: 'The API key is unknown, revoked or expired.' },
  signature_invalid: {
    statuses: [401],
    meaning: 'The delivery is not signed with the secret of this receiver, or its timestamp is too old.',
  },
  plan_limit_exceeded: {
    statuses: [402],
    meaning: 'The organization has used up a limit of its plan. `resource` names the limit.',
  },
  plan_schedule_frequency: {
    statuses: [402],
    meaning: 'The plan does not allow a schedule to run this often.',
  },
  plan_feature_required: {
    statuses: [402],
    meaning: "The organization's plan does not include this feature. `feature` names it.",
  },
  plan_weekly_quota_exhausted: {
    statuses: [402],
    meaning: 'The weekly language-model quota is used up. `week_resets_at` says when it starts again.',
  },
  plan_hard_off: {
    statuses: [402],
    meaning: 'The language models of the platform are turned off for this organization.',
  },
  oidc_required: { statuses: [403], meaning: 'The operation needs an access token. API keys cannot call it.' },
  forbidden_role: { statuses: [403], meaning: 'Your role in the organization does not allow this.' },
  missing_scope: { statuses: [403], meaning: 'The API key does not have the scope that the message names.' },
  platform_admin_required: { statuses: [403], meaning: 'Only platform admins can do this.' },
  invitation_mismatch: { statuses: [403], meaning: 'The invitation was sent to another email address.' },
  domain_not_allowed: {
    statuses: [403],
    meaning: 'Sign-in is not allowed for this email domain. A platform admin can add it.',
  },
  user_deactivated: { statuses: [403], meaning: 'The user has been deleted.' },
  identity_conflict: { statuses: [403], meaning: 'Another user already has the email address of this sign-in.' },
  not_found: {
    statuses: [404],
    meaning: 'The path or the record does not exist, or belongs to an organization that you are not a member of.',
  },
  drift_not_computed: {
    statuses: [404],
    meaning: 'Drift of the scan has not been computed yet. Compute it with `POST …/drift/compute`.',
  },
  analysis_unfinished: {
    statuses: [404],
    meaning: 'The analysis is still running or has failed, so it has no result to test against.',
  },
  method_not_allowed: { statuses: [405], meaning: 'The path does not have this method. `Allow` lists those it has.' },
  slug_taken: { statuses: [409], meaning: 'Another organization has this slug. Choose another one.' },
  domain_exists: { statuses: [409], meaning: 'The domain is already on the list.' },
  membership_exists: { statuses: [409], meaning: 'The user is already a member of the organization.' },
  invitation_pending: {
    statuses: [409],
    meaning: 'The address already has an open invitation. Revoke it before you send another one.',
  },
  last_owner: { statuses: [409], meaning: 'The organization would be left without an owner.' },
  self_demotion: { statuses: [409], meaning: 'You cannot change your own role. Another owner can.' },
  cannot_delete_self: { statuses: [409], meaning: 'You cannot delete yourself. Another platform admin can.' },
  chain_head_below_anchor: {
    statuses: [409],
    meaning: 'The audit chain ends before the entry that you expect: entries at its end are missing.',
  },
  export_not_ready: {
    statuses: [409],
    meaning: 'The Compliance Pack is not built: it waits, is being built, or its build has failed. Read its row.',
  },
  rule_name_taken: {
    statuses: [409],
    meaning: 'The organization already has a custom rule of this type with this name.',
  },
  channel_not_found: {
    statuses: [400],
    meaning: 'The Slack workspace has no channel with this name that the app sees. Invite the app, or give its ID.',
  },
  not_in_channel: { statuses: [400], meaning: 'The Slack app may not post in the channel. Invite it first.' },
  already_disabled: { statuses: [409], meaning: 'The built-in rule is already disabled.' },
  webhook_config_exists: {
    statuses: [409],
    meaning: 'The organization already has a webhook configuration for this repository or address.',
  },
  known_owner_exists: {
    statuses: [409],
    meaning: 'The owner is already listed. Confirm it if it is a suggestion or was dismissed.',
  },
  cloud_account_exists: {
    statuses: [409],
    meaning: 'The organization already has this cloud account. Change its credentials, or delete it first.',
  },
  cloud_account_disabled: { statuses: [409], meaning: 'The cloud account is disabled. Enable it, then scan it.' },
  cloud_account_invalid: {
    statuses: [409],
    meaning:
      'The cloud did not accept the credentials the last time. Validate the account, or replace its credentials.',
  },
  scan_not_cancelable: { statuses: [409], meaning: 'The scan has ended, or the run is an analysis.' },
  too_many_suppressions: {
    statuses: [409],
    meaning: 'The organization has reached its limit of active suppressions. Delete those that it no longer needs.',
  },
  scan_not_done: {
    statuses: [409],
    meaning: 'The scan is still running, or has failed. Wait until it has ended, or start another one.',
  },
  too_many_ignore_rules: {
    statuses: [409],
    meaning: 'The organization has reached its limit of drift ignore rules. Delete those that it no longer needs.',
  },
  source_exists: {
    statuses: [409],
    meaning: 'The organization already has a state source for this location.',
  },
  glob_exists: { statuses: [409], meaning: 'The organization already has a glob for this bucket and prefix.' },
  too_many_targets: {
    statuses: [409],
    meaning: 'The organization has as many notification targets as it can have. Delete one first.',
  },
  mail_not_configured: {
    statuses: [409],
    meaning: 'This deployment sends no email. Its operator can set `SMTP_URL`.',
  },
  too_many_globs: {
    statuses: [409],
    meaning: 'The organization has reached its limit of globs. Delete those that it no longer needs.',
  },
  not_upload_source: {
    statuses: [409],
    meaning: 'The state source is fetched from where it is stored. Only sources of kind `upload` accept an upload.',
  },
  rescan_in_progress: {
    statuses: [409],
    meaning: 'Another rescan of the glob is running. Wait for it to end.',
  },
  webhook_disabled: { statuses: [409], meaning: 'The webhook configuration is disabled. Enable it first.' },
  delivery_pending: { statuses: [409], meaning: 'The delivery has not finished yet.' },
  delivery_not_kept: { statuses: [409], meaning: 'The body of the delivery is no longer stored.' },
  idempotency_in_progress: {
    statuses: [409],
    meaning: 'The first request with this `Idempotency-Key` is still running. Retry after `Retry-After`.',
  },
  already_subscribed: {
    statuses: [409],
    meaning: 'The organization already has a subscription. Change it in the billing portal.',
  },
  invitation_closed: { statuses: [410], meaning: 'The invitation was accepted or revoked, or has expired.' },
  export_artifact_removed: {
    statuses: [410],
    meaning: 'The file of the Compliance Pack has expired or was removed. Request a new pack.',
  },
  result_expired: { statuses: [410], meaning: 'The result of the analysis is no longer stored.' },
  trace_expired: { statuses: [410], meaning: 'The bodies of the trace were deleted. `trace` has the summary.' },
  precondition_failed: {
    statuses: [412],
    meaning: 'The record has changed since you read it. Read it again and repeat your change.',
  },
  payload_too_large: { statuses: [413], meaning: 'The body is larger than the operation allows.' },
  unsupported_media_type: {
    statuses: [415],
    meaning: 'The content type or the content encoding is not one that the operation reads.',
  },
  idempotency_key_reused: {
    statuses: [422],
    meaning: 'The `Idempotency-Key` was used with a different body. Use a new key.',
  },
  body_too_complex: { statuses: [422], meaning: 'The body takes too much time or memory to read.' },
  unprocessable_state: {
    statuses: [422],
    meaning: 'The uploaded file is not a readable state. The message says what it is and what to upload instead.',
  },
  rule_too_complex: { statuses: [422], meaning: 'Testing the rules takes too much time or memory. Simplify them.' },
  api_token_expired: { statuses: [422], meaning: 'The token of the repository has expired.' },
  api_token_invalid: { statuses: [422], meaning: 'The host does not accept the token of the repository.' },
  api_token_insufficient_scope: {
    statuses: [422],
    meaning: 'The token of the repository lacks permissions that the service needs.',
  },
  checkpoint_destination_rejected: {
    statuses: [422],
    meaning:
      'The bucket or the repository did not take a first file, so nothing was saved. The message says what to do.',
  },
  scm_host_unreachable: {
    statuses: [422],
    meaning: 'The host of the repository did not respond, so the token could not be checked.',
  },
  cloud_identity_mismatch: {
    statuses: [422],
    meaning: 'The credentials belong to another cloud account than the request claims. Nothing was stored.',
  },
  cloud_credentials_rejected: {
    statuses: [422],
    meaning: 'The cloud does not accept the credentials. The message says why and what to do. Nothing was stored.',
  },
  enrichment_failed: {
    statuses: [422],
    meaning: 'The properties of the resource cannot be read. The message says why and what to do.',
  },
  rate_limited: { statuses: [429], meaning: 'Too many requests. Wait for `Retry-After`.' },
  analyze_rate_limited: {
    statuses: [429],
    meaning: 'The organization has reached its hourly limit of analyses. Wait for `Retry-After`.',
  },
  verify_rate_limited: {
    statuses: [429],
    meaning: 'The audit chain has been verified as often as allowed in an hour. Wait for `Retry-After`.',
  },
  audit_export_rate_limited: {
    statuses: [429],
    meaning: 'The organization has requested as many Compliance Packs as allowed in 24 hours. Wait for `Retry-After`.',
  },
  llm_validate_rate_limited: {
    statuses: [429],
    meaning: 'The model account has been validated as often as allowed in an hour. Wait for `Retry-After`.',
  },
  webhook_test_rate_limited: {
    statuses: [429],
    meaning: 'The webhooks have been tested as often as allowed in an hour. Wait for `Retry-After`.',
  },
  bulk_scan_rate_limited: {
    statuses: [429],
    meaning: 'Bulk scans have been started as often as allowed in a minute. Wait for `Retry-After`.',
  },
  plan_hourly_rate_limit: {
    statuses: [429],
    meaning: 'The hourly language-model quota is used up. `hour_resets_at` says when it starts again.',
  },
  byok_rate_limited: {
    statuses: [429],
    meaning: "The organization's own model account is failing. The service retries after `Retry-After`.",
  },
  internal: {
    statuses: [500],
    meaning: 'An internal error. Report it with the `request_id`.',
  },
  billing_backend_error: {
    statuses: [502],
    meaning: 'The payment provider did not accept a request of the service, or did not respond. Try again later.',
  },
  scm_backend_error: {
    statuses: [502],
    meaning: 'GitHub rejected a request of the service. The message says which one.',
  },
  chat_backend_error: {
    statuses: [502],
    meaning: 'Slack rejected a request of the service. The message says what to do.',
  },
  state_backend_error: {
    statuses: [502],
    meaning: 'A state could not be fetched or read, or a bucket could not be listed. The message says what to do.',
  },
  unavailable: {
    statuses: [503],
    meaning: 'A part of the service is not available right now. Retry after `Retry-After`.',
  },
  storage_unavailable: {
    statuses: [503],
    meaning: 'The service cannot store data right now. Retry after `Retry-After`.',
  },
  federation_not_configured: { statuses: [503], meaning: 'The operator has not configured workload identity.' },
  cloud_unreachable: {
    statuses: [503],
    meaning: 'The cloud did not give a usable response, so nothing changed. Retry after `Retry-After`.',
  },
  cloud_registry_not_configured: {
    statuses: [503],
    meaning: 'This deployment cannot use the credentials of the cloud account. The operator has to configure it.',
  },
  billing_not_configured: {
    statuses: [503],
    meaning: 'The operator has not connected a payment provider. A platform admin can set the plan.',
  },
  sso_unavailable: { statuses: [503], meaning: 'Organizations cannot set up single sign-on yet.' },
  scm_not_configured: { statuses: [503], meaning: 'The operator has not configured a GitHub App.' },
  chat_not_configured: { statuses: [503], meaning: 'The operator has not configured a Slack app.' },
} as const satisfies Record<string, ErrorClassInfo>;

export type ErrorClass = keyof typeof ERROR_CLASSES;

export function isErrorClass(text: string): text is ErrorClass {
  return Object.hasOwn(ERROR_CLASSES, text);
}

/** Whether an error of this class can have this status. */
export function hasStatus(error_class: ErrorClass, status: number): boolean {
  const { statuses }: ErrorClassInfo = ERROR_CLASSES[error_class];
  return statuses.includes(status);
}

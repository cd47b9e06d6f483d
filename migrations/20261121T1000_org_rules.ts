/**
 * An organization's rules. Rules are stored as written (json, not jsonb), so the order of their members is preserved. A
 * policy is never changed: each version is a row, the newest is the current one, and the others document the rules of
 * older results.
 */
export const up = /* sql */ `
  create table custom_rules (
    id uuid constraint custom_rules_pkey primary key,
    org_id uuid not null constraint custom_rules_org_id_fkey references orgs (id),
    rule_type text not null,
    name text not null,
    description text not null,
    config json not null,
    enabled boolean not null default true,
    created_by uuid not null constraint custom_rules_created_by_fkey references users (id),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint custom_rules_org_id_id_key unique (org_id, id),
    constraint custom_rules_rule_type_check check (rule_type in ('noise', 'risk')),
    constraint custom_rules_name_check check (char_length(name) between 1 and 100),
    constraint custom_rules_description_check check (char_length(description) <= 2000),
    constraint custom_rules_config_check check (json_typeof(config) = 'object')
  );

  create unique index custom_rules_name_key on custom_rules (org_id, rule_type, lower(name));
  create index custom_rules_list_idx on custom_rules (org_id, created_at desc, id desc);
  create index custom_rules_created_by_idx on custom_rules (created_by);

  select protect_org_rows('custom_rules');
  grant select, insert, update (name, description, config, enabled, updated_at), delete on custom_rules to app_rw;

  create table disabled_rules (
    id uuid constraint disabled_rules_pkey primary key,
    org_id uuid not null constraint disabled_rules_org_id_fkey references orgs (id),
    rule_type text not null,
    builtin_rule_id text not null,
    reason text,
    disabled_by uuid not null constraint disabled_rules_disabled_by_fkey references users (id),
    created_at timestamptz(3) not null,
    constraint disabled_rules_org_id_id_key unique (org_id, id),
    constraint disabled_rules_rule_key unique (org_id, rule_type, builtin_rule_id),
    constraint disabled_rules_rule_type_check check (rule_type in ('noise', 'risk')),
    constraint disabled_rules_builtin_rule_id_check check (char_length(builtin_rule_id) between 1 and 200),
    constraint disabled_rules_reason_check check (char_length(reason) between 1 and 500)
  );

  create index disabled_rules_disabled_by_idx on disabled_rules (disabled_by);

  select protect_org_rows('disabled_rules');
  grant select, insert, delete on disabled_rules to app_rw;

  create table risk_policies (
    org_id uuid not null constraint risk_policies_org_id_fkey references orgs (id),
    version integer not null,
    rules json not null,
    updated_by uuid not null constraint risk_policies_updated_by_fkey references users (id),
    updated_at timestamptz(3) not null,
    constraint risk_policies_pkey primary key (org_id, version),
    constraint risk_policies_version_check check (version >= 1),
    constraint risk_policies_rules_check check (json_typeof(rules) = 'array' and json_array_length(rules) <= 100)
  );

  create index risk_policies_updated_by_idx on risk_policies (updated_by);

  select protect_org_rows('risk_policies');
  grant select, insert on risk_policies to app_rw;
`;

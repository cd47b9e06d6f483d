/** Users: people who have signed in, identified by the identity provider's (issuer, subject). */
export const up = /* sql */ `
  create table users (
    id uuid constraint users_pkey primary key,
    issuer text not null,
    subject text not null,
    email text not null,
    display_name text not null,
    is_platform_admin boolean not null default false,
    created_at timestamptz(3) not null default now(),
    last_login_at timestamptz(3),
    deleted_at timestamptz(3),
    constraint users_issuer_subject_key unique (issuer, subject),
    constraint users_issuer_check check (char_length(issuer) between 1 and 2000),
    constraint users_subject_check check (char_length(subject) between 1 and 1000),
    constraint users_email_check check (char_length(email) between 3 and 320 and email = lower(email)),
    constraint users_display_name_check check (char_length(display_name) between 1 and 320)
  );

  create unique index users_live_email_key on users (email) where deleted_at is null;

  grant select, insert, update on users to app_rw;
`;

-- Writes the audit log to standard output, one JSON object per line; see audit-log.md. It is one statement, so all rows
-- come from one snapshot. The delimiter and the quote are control characters: JSON escapes them, so COPY quotes no line.
-- The text format of COPY would double every backslash.
copy (
  select json_build_object(
    'id', id,
    'org_id', org_id,
    'seq', seq,
    'actor_email', actor_email,
    'action', action,
    'detail', detail::text,
    -- A time that has no canonical text keeps the format of PostgreSQL, which verifiers reject: to_char alone would
    -- drop the era.
    'created_at', case when created_at >= '0001-01-01 00:00:00+00' and created_at < '10000-01-01 00:00:00+00'
        and created_at = created_at::timestamptz(3)
      then to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      else created_at::text end,
    'prev_hash', prev_hash,
    'hash', hash,
    'canon_version', canon_version
  )
  from audit_log
  order by org_id, seq
) to stdout with (format csv, delimiter E'\x02', quote E'\x01', encoding 'UTF8');

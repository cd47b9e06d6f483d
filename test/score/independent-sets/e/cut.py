# scenarios written but left out of the set to keep the level mix
CUT=set("""backup-vault-lock-removed cognito-open-signup prefix-list-half-internet prefix-list-branch-office firewall-deny-behind-allow firewall-deny-renumbered
keyvault-default-action-allow keyvault-extra-egress-ip datadog-downtime-daily-forever datadog-downtime-one-evening gke-control-plane-open okta-finance-single-factor okta-finance-shorter-reauth
kafka-acl-any-principal nsg-deny-after-allow nsg-deny-renumbered log-exclusion-audit-data-access log-exclusion-readyz app-audience-multi-tenant ca-mfa-report-only ca-policy-renamed
netpol-empty-ingress-rule netpol-allow-monitoring waf-groups-to-count waf-new-group-in-count backup-yearly-delete-after-cut backup-yearly-delete-after-longer asg-night-schedule-zero
ruleset-evaluate-only ruleset-two-approvals auth0-wildcard-callback datadog-thresholds-and-dashboards pubsub-longer-expiry-window""".split())

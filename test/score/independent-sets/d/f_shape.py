from t_aws import *
# d124 moves
p=Plan('1.11.4')
for n in ('catalog','checkout','search'):
    p.noop(f'module.logs.aws_cloudwatch_log_group.this["{n}"]',mk('aws_cloudwatch_log_group','/shop/'+n),prev=f'aws_cloudwatch_log_group.{n}')
p.noop('module.data.aws_db_instance.this',mk('aws_db_instance','prod-orders'),prev='aws_db_instance.orders')
p.noop('module.data.aws_dynamodb_table.sessions',mk('aws_dynamodb_table','prod-sessions'),prev='aws_dynamodb_table.sessions')
p.dump('d124-moved-into-module')
# d125 imports
p=Plan('1.12.1')
q=mk('aws_sqs_queue','capture'); p.noop('aws_sqs_queue.capture',q,importing=q['id'])
q=mk('aws_sqs_queue','webhook'); p.noop('aws_sqs_queue.webhook',q,importing=q['id'])
q=mk('aws_iam_role','payout-worker',assume_role_policy=J({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ecs-tasks.amazonaws.com"},"Action":"sts:AssumeRole"}]})); p.noop('aws_iam_role.payout_worker',q,importing='payout-worker')
p.dump('d125-import-existing')
# d126 forget
p=Plan('1.11.4'); p.forget('aws_rds_cluster.legacy_catalog',mk('aws_rds_cluster','legacy-catalog')); comp(p,'forget',2); p.dump('d126-forget-cluster')
# d127 errored
p=Plan('1.10.5'); p.update('aws_lambda_function.tax',mk('aws_lambda_function','tax-calculator'),{'memory_size':768,'timeout':20},unknown=['last_modified','version','qualified_arn','qualified_invoke_arn']); comp(p,'err',2)
p.extra={'errored':True,'complete':False,'applyable':False}; p.dump('d127-errored-partial')
# d128 drift only
p=Plan('1.11.4'); a=mk('aws_autoscaling_group','shop-web'); a2=deep(a,{'desired_capacity':14})
p.drifted('aws_autoscaling_group.web',a,{'desired_capacity':14}); p.noop('aws_autoscaling_group.web',a2)
l=mk('aws_lambda_function','payment-refunder'); p.drifted('aws_lambda_function.payment_refunder',l,{'last_modified':'2026-10-03T07:11:40.000+0000','version':'42'}); p.noop('aws_lambda_function.payment_refunder',deep(l,{'last_modified':'2026-10-03T07:11:40.000+0000','version':'42'}))
p.extra={'applyable':False}; p.dump('d128-drift-only')
# d129 drift that is closed again
ok=[sgr(5432,5432,sg=['sg-0app'],desc='ledger service')]; bad=ok+[sgr(5432,5432,cidr=['0.0.0.0/0'],desc='tmp debug jk')]
p=Plan('1.11.4'); g=mk('aws_security_group','ledger-db',description='ledger database',ingress=ok); gb=deep(g,{'ingress':bad})
p.drifted('aws_security_group.ledger_db',g,{'ingress':bad}); p.update('aws_security_group.ledger_db',gb,{'ingress':ok}); comp(p,'dr',1)
p.rel=[{'resource':'aws_security_group.ledger_db','attribute':['ingress']}]; p.dump('d129-drift-revert-open-rule')
# d130 unknown policy
p=Plan('1.11.4'); b=mk('aws_s3_bucket_policy','acme-prod-partner-drop',policy=J({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::650011223344:role/erp-import"},"Action":["s3:GetObject"],"Resource":"arn:aws:s3:::acme-prod-partner-drop/out/*"}]}))
p.update('aws_s3_bucket_policy.partner_drop',b,{},unknown=['policy'],refs={'policy':['data.aws_iam_policy_document.partner.json','data.aws_iam_policy_document.partner']})
p.create('aws_iam_role.partner_writer',mk('aws_iam_role','partner-writer',description='writes partner exports',assume_role_policy=J({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ecs-tasks.amazonaws.com"},"Action":"sts:AssumeRole"}]})))
p.read('data.aws_iam_policy_document.partner',{'override_policy_documents':None,'policy_id':None,'source_policy_documents':None,'version':None,'statement':[{'actions':['s3:GetObject','s3:PutObject'],'condition':[],'effect':'Allow','not_actions':None,'not_principals':[],'not_resources':None,'principals':[{'type':'AWS'}],'resources':['arn:aws:s3:::acme-prod-partner-drop/out/*'],'sid':None}]},unknown=['id','json','minified_json'])
p.rc[-1]['change']['after_unknown']['statement'][0]['principals']=[{'identifiers':True}]
comp(p,'unk',1); p.dump('d130-unknown-policy')
# d131 count shift
p=Plan('1.9.8')
AZ=[('eu-west-1a','10.40.0.0/20'),('eu-west-1b','10.40.16.0/20'),('eu-west-1c','10.40.32.0/20')]
sn=[mk('aws_subnet',f'private-{i}',availability_zone=z,cidr_block=c,tags=dict(TAGS,Name='private-'+z)) for i,(z,c) in enumerate(AZ)]
for i in (0,1): p.replace(f'aws_subnet.private[{i}]',sn[i],{'availability_zone':AZ[i+1][0],'cidr_block':AZ[i+1][1],'tags':dict(TAGS,Name='private-'+AZ[i+1][0]),'tags_all':dict(TAGS,Name='private-'+AZ[i+1][0])},[['availability_zone'],['cidr_block']])
p.delete('aws_subnet.private[2]',sn[2],reason='delete_because_count_index')
for i in (0,1): p.replace(f'aws_route_table_association.private[{i}]',mk('aws_route_table_association',f'a{i}',subnet_id=sn[i]['id']),{'subnet_id':U},[['subnet_id']],refs={'subnet_id':['aws_subnet.private','count.index']})
p.delete('aws_route_table_association.private[2]',mk('aws_route_table_association','a2',subnet_id=sn[2]['id']),reason='delete_because_count_index')
p.vars={'azs':['eu-west-1b','eu-west-1c']}; p.dump('d131-subnet-count-shift')
# d132/133 module removed
def modrm(name,table):
    p=Plan('1.11.4')
    dash=mk('aws_cloudwatch_dashboard','loyalty',dashboard_body=J({"widgets":[{"type":"metric","x":0,"y":0,"width":12,"height":6,"properties":{"metrics":[["AWS/DynamoDB","ConsumedReadCapacityUnits","TableName","prod-loyalty-balance"]],"region":R,"title":"reads"}}]}))
    p.delete('module.loyalty.aws_cloudwatch_dashboard.balance',dash,reason='delete_because_no_module')
    if table: p.delete('module.loyalty.aws_dynamodb_table.balance',mk('aws_dynamodb_table','prod-loyalty-balance',deletion_protection_enabled=False,attribute=[{'name':'customer_id','type':'S'}],hash_key='customer_id',range_key='',warm_throughput=[{'read_units_per_second':9000,'write_units_per_second':2500}]),reason='delete_because_no_module')
    comp(p,'modrm',2); p.dump(name)
modrm('d132-module-removed-table',True); modrm('d133-module-removed-dashboard',False)
# d134 eip replaced
p=Plan('1.12.1')
e=mk('aws_eip','nat0',tags=dict(TAGS,Name='egress-bank-allowlisted'))
p.replace('aws_eip.nat[0]',e,{'network_border_group':'eu-west-1','public_ipv4_pool':'ipv4pool-ec2-0a1b2c3d4e5f60718'},[['public_ipv4_pool']])
p.replace('aws_nat_gateway.this[0]',mk('aws_nat_gateway','n0',allocation_id=e['allocation_id']),{'allocation_id':U},[['allocation_id']],refs={'allocation_id':['aws_eip.nat','count.index']})
comp(p,'eip',1); p.dump('d134-egress-eip-replaced')
# d135 outputs only
p=Plan('1.11.4'); p.noop('aws_sqs_queue.webhook',mk('aws_sqs_queue','webhook')); p.noop('aws_sns_topic.returns',mk('aws_sns_topic','returns'))
p.output('webhook_queue_url',['create'],None,f'https://sqs.{R}.amazonaws.com/{ACC}/webhook'); p.output('release',['update'],'2026.39.1','2026.40.0'); p.output('returns_topic',['delete'],f'arn:aws:sns:{R}:{ACC}:returns',None)
p.dump('d135-outputs-only')
# d136 reads only
p=Plan('1.11.4')
p.read('data.aws_iam_policy_document.returns',{'override_policy_documents':None,'policy_id':None,'source_policy_documents':None,'version':None,'statement':[{'actions':['sns:Publish'],'condition':[],'effect':'Allow','not_actions':None,'not_principals':[],'not_resources':None,'principals':[],'resources':[f'arn:aws:sns:{R}:{ACC}:returns'],'sid':None}]},unknown=['id','json','minified_json'],reason='read_because_config_unknown')
p.read('module.eks.data.aws_eks_cluster_auth.this',{'name':'card-data','region':R},unknown=['id','token'],reason='read_because_dependency_pending',sens={'token':True})
p.noop('aws_sns_topic.returns',mk('aws_sns_topic','returns')); p.dump('d136-reads-only')
p=Plan('1.12.1'); p.noop('aws_sns_topic.returns',mk('aws_sns_topic','returns')); p.noop('aws_sqs_queue.webhook',mk('aws_sqs_queue','webhook')); p.noop('aws_dynamodb_table.sessions',mk('aws_dynamodb_table','prod-sessions')); p.noop('aws_ecr_repository.checkout',mk('aws_ecr_repository','checkout')); p.dump('d140-no-changes')

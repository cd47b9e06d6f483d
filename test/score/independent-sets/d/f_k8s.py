from lib import *
import sys
def meta(n,ns=None,labels=None,ann=None):
    m={'annotations':ann or {},'generate_name':'','generation':4,'labels':labels or {'app.kubernetes.io/name':n,'app.kubernetes.io/managed-by':'terraform'},'name':n,'resource_version':'88213490','uid':uuid(n,ns)}
    if ns: m['namespace']=ns
    return [dict(sorted(m.items()))]
tpl('helm_release','id metadata manifest status',atomic=True,chart='§',cleanup_on_fail=False,create_namespace=False,dependency_update=False,description=None,devel=None,disable_crd_hooks=False,disable_openapi_validation=False,disable_webhooks=False,force_update=False,id='§',keyring=None,lint=False,manifest=None,max_history=10,metadata={'app_version':'1.13.3','chart':'§','first_deployed':1741684492,'last_deployed':1758789132,'name':'§','namespace':'platform','notes':None,'revision':24,'values':'{}','version':'4.13.3'},name='§',namespace='platform',pass_credentials=False,postrender=None,recreate_pods=False,render_subchart_notes=True,replace=False,repository='https://charts.acme.example/mirror',repository_ca_file=None,repository_cert_file=None,repository_key_file=None,repository_password=None,repository_username=None,reset_values=False,reuse_values=False,set=None,set_list=None,set_sensitive=None,set_wo=None,skip_crds=False,status='deployed',take_ownership=False,timeout=600,timeouts=None,upgrade_install=None,values=[],verify=False,version='4.13.3',wait=True,wait_for_jobs=False)
tpl('kubernetes_cluster_role_binding_v1','id',id='§',metadata=meta('§'),role_ref=[{'api_group':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'edit'}],subject=[])
tpl('kubernetes_manifest','object',computed_fields=['metadata.labels','metadata.annotations'],field_manager=[],manifest={},object={},timeouts=[],wait=[],wait_for=None)
tpl('kubernetes_validating_webhook_configuration_v1','id',id='§',metadata=meta('§'),webhook=[])
tpl('kubernetes_horizontal_pod_autoscaler_v2','id',id='shop/§',metadata=meta('§','shop'),spec=[{'behavior':[],'max_replicas':60,'metric':[{'container_resource':[],'external':[],'object':[],'pods':[],'resource':[{'name':'cpu','target':[{'average_utilization':60,'average_value':'','type':'Utilization','value':''}]}],'type':'Resource'}],'min_replicas':12,'scale_target_ref':[{'api_version':'apps/v1','kind':'Deployment','name':'§'}],'target_cpu_utilization_percentage':0}])
tpl('kubernetes_pod_disruption_budget_v1','id',id='shop/§',metadata=meta('§','shop'),spec=[{'max_unavailable':'1','min_available':'','selector':[{'match_expressions':[],'match_labels':{'app':'§'}}]}])
tpl('kubernetes_storage_class_v1','id',allow_volume_expansion=True,allowed_topologies=[],id='§',metadata=meta('§'),mount_options=[],parameters={'type':'gp3','encrypted':'true'},reclaim_policy='Retain',storage_provisioner='ebs.csi.aws.com',volume_binding_mode='WaitForFirstConsumer')
tpl('kubernetes_resource_quota_v1','id',id='storefront/§',metadata=meta('§','storefront'),spec=[{'hard':{},'scope_selector':[],'scopes':[]}],timeouts=None)
tpl('kubernetes_config_map_v1_data','id',data={},field_manager='Terraform',force=True,id='kube-system/§',metadata=[{'name':'§','namespace':'kube-system'}])
tpl('kubernetes_config_map_v1','id',binary_data={},data={},id='shop/§',immutable=False,metadata=meta('§','shop'))
tpl('kubernetes_namespace_v1','id',id='§',metadata=meta('§'),timeouts=None,wait_for_default_service_account=False)
tpl('kubernetes_service_account_v1','id default_secret_name',automount_service_account_token=False,default_secret_name='',id='shop/§',image_pull_secret=[],metadata=meta('§','shop'),secret=[],timeouts=None)
def container(n,img,cpu='1000m',mem='1024Mi'): return {'args':[],'command':[],'env':[{'name':'LOG_LEVEL','value':'info','value_from':[]}],'env_from':[],'image':img,'image_pull_policy':'IfNotPresent','lifecycle':[],'liveness_probe':[{'exec':[],'failure_threshold':3,'grpc':[],'http_get':[{'host':'','http_header':[],'path':'/healthz','port':'8080','scheme':'HTTP'}],'initial_delay_seconds':10,'period_seconds':10,'success_threshold':1,'tcp_socket':[],'timeout_seconds':2}],'name':n,'port':[{'container_port':8080,'host_ip':'','host_port':0,'name':'http','protocol':'TCP'}],'readiness_probe':[],'resources':[{'limits':{'cpu':cpu,'memory':mem},'requests':{'cpu':cpu,'memory':mem}}],'security_context':[{'allow_privilege_escalation':False,'capabilities':[{'add':[],'drop':['ALL']}],'privileged':False,'read_only_root_filesystem':True,'run_as_group':'','run_as_non_root':True,'run_as_user':'10001','se_linux_options':[],'seccomp_profile':[{'localhost_profile':'','type':'RuntimeDefault'}]}],'startup_probe':[],'stdin':False,'stdin_once':False,'termination_message_path':'/dev/termination-log','termination_message_policy':'File','tty':False,'volume_device':[],'volume_mount':[],'working_dir':''}
def deployment(n,ns='shop',replicas='4',**kw):
    return mk('kubernetes_deployment_v1',n,metadata=meta(n,ns),spec=[{'min_ready_seconds':0,'paused':False,'progress_deadline_seconds':600,'replicas':replicas,'revision_history_limit':10,'selector':[{'match_expressions':[],'match_labels':{'app':n}}],'strategy':[{'rolling_update':[{'max_surge':'25%','max_unavailable':'0'}],'type':'RollingUpdate'}],'template':[{'metadata':[{'annotations':{},'generate_name':'','generation':0,'labels':{'app':n},'name':'','namespace':'','resource_version':'','uid':''}],'spec':[{'active_deadline_seconds':0,'affinity':[],'automount_service_account_token':False,'container':[container('app',f'registry.acme.example/shop/{n}:2026.39.1',**kw)],'dns_config':[],'dns_policy':'ClusterFirst','enable_service_links':False,'host_aliases':[],'host_ipc':False,'host_network':False,'host_pid':False,'hostname':'','image_pull_secrets':[],'init_container':[],'node_name':'','node_selector':{},'os':[],'priority_class_name':'','readiness_gate':[],'restart_policy':'Always','runtime_class_name':'','scheduler_name':'default-scheduler','security_context':[],'service_account_name':n,'share_process_namespace':False,'subdomain':'','termination_grace_period_seconds':30,'toleration':[],'topology_spread_constraint':[],'volume':[]}]}]}])
tpl('kubernetes_deployment_v1','id',id='shop/§',metadata=[],spec=[],timeouts=None,wait_for_rollout=True)
POOL=[lambda p:p.update('kubernetes_deployment_v1.recommendations',deployment('recommendations'),{'spec.0.template.0.spec.0.container.0.image':'registry.acme.example/shop/recommendations:2026.40.0'}),
 lambda p:p.update('kubernetes_namespace_v1.search',mk('kubernetes_namespace_v1','search'),{'metadata.0.annotations':{'acme.example/owner':'team-search'}}),
 lambda p:p.create('kubernetes_service_account_v1.search',mk('kubernetes_service_account_v1','search',metadata=[{'annotations':{},'labels':{'app':'search'},'name':'search','namespace':'shop'}])),
 lambda p:p.update('kubernetes_config_map_v1.banner',mk('kubernetes_config_map_v1','banner',data={'text':'Free shipping over 50'}),{'data':{'text':'Free shipping over 60'}}),
 lambda p:p.noop('kubernetes_namespace_v1.shop',mk('kubernetes_namespace_v1','shop')),
 lambda p:p.update('helm_release.node_exporter',mk('helm_release','node-exporter',namespace='monitoring',version='4.47.3'),{'version':'4.48.0'},unknown=['metadata'])]
def ck(p,k,n=2): comp(p,k,n,POOL)
def nk(p): p.noop('kubernetes_namespace_v1.shop',mk('kubernetes_namespace_v1','shop')); p.noop('kubernetes_config_map_v1.banner',mk('kubernetes_config_map_v1','banner',data={'text':'Free shipping over 50'}))
V="""controller:
  replicaCount: %d
  ingressClassResource:
    name: nginx
    default: true
  allowSnippetAnnotations: %s
  config:
    use-forwarded-headers: "true"
    annotations-risk-level: %s
    proxy-body-size: 8m
  metrics:
    enabled: true
  resources:
    requests: {cpu: 500m, memory: 512Mi}
  admissionWebhooks:
    enabled: true
"""
def ing(name,r,s,l):
    p=Plan('1.11.4'); p.update('helm_release.ingress_nginx',mk('helm_release','ingress-nginx',values=[V%(4,'false','High')]),{'values':[V%(r,s,l)]},unknown=['metadata']); ck(p,'ing'); p.dump(name)
ing('d081-ingress-snippets-critical',4,'true','Critical'); ing('d082-ingress-more-replicas',6,'false','High')
def crb(name,sub):
    p=Plan('1.10.5'); s0={'api_group':'','kind':'ServiceAccount','name':'release-bot','namespace':'release'}
    p.update('kubernetes_cluster_role_binding_v1.release_tools',mk('kubernetes_cluster_role_binding_v1','release-tools',subject=[s0]),{'subject':[dict(api_group='rbac.authorization.k8s.io',kind='Group',name=sub,namespace='')]}); ck(p,'crb',1); p.dump(name)
crb('d083-authenticated-edit-binding','system:authenticated'); crb('d084-sre-edit-binding','acme:sre-oncall')
def app(repo,rev): return {'apiVersion':'argoproj.io/v1alpha1','kind':'Application','metadata':{'name':'payments','namespace':'argocd','finalizers':['resources-finalizer.argocd.argoproj.io']},'spec':{'project':'payments','source':{'repoURL':repo,'targetRevision':rev,'path':'deploy/prod'},'destination':{'server':'https://kubernetes.default.svc','namespace':'payments'},'syncPolicy':{'automated':{'prune':True,'selfHeal':True},'syncOptions':['ServerSideApply=true']}}}
def mani(p,addr,b,a):
    bb=mk('kubernetes_manifest','x',manifest=b,object=b); p.update(addr,bb,{'manifest':a,'object':a})
def argo(name,repo,rev):
    p=Plan('1.11.4'); mani(p,'kubernetes_manifest.app_payments',app('https://github.com/acme-retail/payments-deploy.git','v1.42.0'),app(repo,rev)); ck(p,'argo'); p.dump(name)
argo('d085-argocd-lookalike-repo','https://github.com/acrne-retail/payments-deploy.git','v1.43.0'); argo('d086-argocd-next-tag','https://github.com/acme-retail/payments-deploy.git','v1.43.0')
def hook(fp,t,sel): return {'admission_review_versions':['v1'],'client_config':[{'ca_bundle':'LS0tLS1CRUdJTi1mYWtlLWNhLS0tLS0=','service':[{'name':'image-policy','namespace':'image-policy','path':'/validate','port':443}],'url':''}],'failure_policy':fp,'match_policy':'Equivalent','name':'image-policy.acme.example','namespace_selector':sel,'object_selector':[],'rule':[{'api_groups':[''],'api_versions':['v1'],'operations':['CREATE','UPDATE'],'resources':['pods'],'scope':'Namespaced'}],'side_effects':'None','timeout_seconds':t}
EX=[{'match_expressions':[{'key':'kubernetes.io/metadata.name','operator':'NotIn','values':['kube-system','image-policy']}],'match_labels':{}}]
def wh(name,h):
    p=Plan('1.11.4'); p.update('kubernetes_validating_webhook_configuration_v1.image_policy',mk('kubernetes_validating_webhook_configuration_v1','image-policy',webhook=[hook('Ignore',10,EX)]),{'webhook':[h]}); p.noop('kubernetes_deployment_v1.image_policy',deployment('image-policy','image-policy','1')); ck(p,'wh',1); p.dump(name)
wh('d087-image-policy-webhook-fail-all',hook('Fail',10,[])); wh('d088-image-policy-webhook-timeout',hook('Ignore',5,EX))
B="""# vault production values
server:
  ha:
    enabled: true
    replicas: 5
  auditStorage:
    enabled: true
    size: 20Gi
global:
  tlsDisable: false
  namespace: vault
injector:
  enabled: true
"""
A="""---
# Managed by platform. Sorted with yamlfmt, do not edit by hand.
global: { namespace: "vault", tlsDisable: %s }
injector: { enabled: true }
server:
    # audit devices are mandatory (PCI 10.2)
    auditStorage: { enabled: %s, size: "20Gi" }
    ha: { enabled: true, replicas: 5 }
"""
def hv(name,t,a):
    p=Plan('1.12.1'); p.update('module.platform.helm_release.vault',mk('helm_release','vault',namespace='vault',values=[B],version='0.30.1'),{'values':[A%(t,a)]}); nk(p); p.dump(name)
hv('d089-helm-values-reformatted','false','true'); hv('d090-helm-values-reformatted-tls','true','false')
p=Plan('1.11.4'); p.update('kubernetes_horizontal_pod_autoscaler_v2.checkout',mk('kubernetes_horizontal_pod_autoscaler_v2','checkout'),{'spec.0.min_replicas':1,'spec.0.metric.0.resource.0.target.0.average_utilization':70}); ck(p,'hpa'); p.dump('d091-hpa-floor-one')
p=Plan('1.11.4'); p.update('kubernetes_pod_disruption_budget_v1.pricing',mk('kubernetes_pod_disruption_budget_v1','pricing'),{'spec.0.max_unavailable':'0%'}); p.noop('kubernetes_deployment_v1.pricing',deployment('pricing')); ck(p,'pdb',1); p.dump('d092-pdb-blocks-drain')
p=Plan('1.10.5'); p.replace('kubernetes_storage_class_v1.db',mk('kubernetes_storage_class_v1','db-gp3'),{'reclaim_policy':'Delete'},[['reclaim_policy']]); ck(p,'scl'); p.dump('d093-storage-class-reclaim-delete')
p=Plan('1.11.4'); p.update('kubernetes_resource_quota_v1.storefront',mk('kubernetes_resource_quota_v1','storefront',spec=[{'hard':{'pods':'120','requests.cpu':'200','requests.memory':'400Gi'},'scope_selector':[],'scopes':[]}]),{'spec.0.hard':{'pods':'0','requests.cpu':'240','requests.memory':'400Gi'}}); ck(p,'rq'); p.dump('d094-quota-zero-pods')
CF=""".:53 {
    errors
    health
    ready%s
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
    }
    prometheus :9153
    forward . /etc/resolv.conf
    cache 30
    loop
    reload
    loadbalance
}
"""
p=Plan('1.11.4'); p.update('kubernetes_config_map_v1_data.coredns',mk('kubernetes_config_map_v1_data','coredns',data={'Corefile':CF%''}),{'data':{'Corefile':(CF%'\n    rewrite name exact checkout-live.adyen.com adyen-edge.cdn-accel.net').replace('cache 30','cache 60')}}); ck(p,'cf'); p.dump('d095-coredns-rewrite-psp')
def np(n,ea): return {'apiVersion':'karpenter.sh/v1','kind':'NodePool','metadata':{'name':'general'},'spec':{'disruption':{'consolidationPolicy':'WhenEmptyOrUnderutilized','consolidateAfter':'5m','budgets':[{'nodes':n}]},'limits':{'cpu':'800'},'template':{'spec':{'expireAfter':ea,'nodeClassRef':{'group':'karpenter.k8s.aws','kind':'EC2NodeClass','name':'default'},'requirements':[{'key':'kubernetes.io/arch','operator':'In','values':['arm64']},{'key':'karpenter.sh/capacity-type','operator':'In','values':['on-demand']}]}}}}
p=Plan('1.12.1'); mani(p,'kubernetes_manifest.nodepool_general',np('10%','720h'),np('100%','720h')); ck(p,'karp'); p.dump('d096-karpenter-budget-all')
p=Plan('1.11.4'); p.update('kubernetes_deployment_v1.pricing',deployment('pricing',cpu='1',mem='1Gi'),{'spec.0.template.0.spec.0.container.0.resources':[{'limits':{'cpu':'1000m','memory':'1024Mi'},'requests':{'cpu':'1000m','memory':'1024Mi'}}]}); nk(p); p.dump('d097-cpu-quantity-format')

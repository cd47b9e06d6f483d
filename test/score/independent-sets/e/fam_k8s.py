from lib import *
def meta(name,ns=None,labels=None,ann=None):
    m={"annotations":ann or {},"generate_name":"","generation":4,"labels":labels or {},"name":name,"resource_version":num(name,8),"uid":uid(name)}
    if ns: m["namespace"]=ns
    return [m]
tmpl("helm_release",{"id":"{name}","status":"deployed","metadata":[{"app_version":"1","chart":"{chart}","first_deployed":1707000000,"last_deployed":1767000000,"name":"{name}","namespace":"{namespace}","notes":"","revision":14,"values":"{}","version":"{version}"}]},["repository_password"],atomic=True,chart="",cleanup_on_fail=True,create_namespace=False,dependency_update=False,description=None,devel=None,disable_crd_hooks=False,disable_openapi_validation=False,disable_webhooks=False,force_update=False,keyring=None,lint=False,manifest=None,max_history=10,name="",namespace="",pass_credentials=False,postrender=[],recreate_pods=False,render_subchart_notes=True,replace=False,repository="",repository_ca_file=None,repository_cert_file=None,repository_key_file=None,repository_password=None,repository_username=None,reset_values=False,reuse_values=False,set=[],set_list=[],set_sensitive=[],skip_crds=False,timeout=600,values=[],verify=False,version="",wait=True,wait_for_jobs=False)
tmpl("kubernetes_network_policy",{"id":"x"},metadata=[],spec=[])
tmpl("kubernetes_cluster_role",{"id":"x"},aggregation_rule=[],metadata=[],rule=[])
def rule(g,r,v,names=(),urls=()): return {"api_groups":list(g),"non_resource_urls":list(urls),"resource_names":list(names),"resources":list(r),"verbs":list(v)}
tmpl("kubernetes_role_binding",{"id":"x"},metadata=[],role_ref=[],subject=[])
tmpl("kubernetes_persistent_volume",{"id":"x"},metadata=[],spec=[],timeouts=None)
tmpl("kubernetes_pod_disruption_budget_v1",{"id":"x"},metadata=[],spec=[])
tmpl("kubernetes_validating_webhook_configuration_v1",{"id":"x"},metadata=[],webhook=[])
tmpl("kubernetes_cron_job_v1",{"id":"x"},metadata=[],spec=[],timeouts=None)
tmpl("kubernetes_deployment",{"id":"x"},metadata=[],spec=[],timeouts=None,wait_for_rollout=True)
tmpl("kubernetes_manifest",{},computed_fields=["metadata.annotations","metadata.labels"],field_manager=[],manifest={},object={},timeouts=[],wait=[],wait_for=None)
tmpl("kubernetes_namespace",{"id":"x"},metadata=[],timeouts=None,wait_for_default_service_account=False)
tmpl("kubernetes_config_map",{"id":"x"},binary_data={},data={},immutable=False,metadata=[])
tmpl("kubernetes_secret",{"id":"x"},["data","binary_data"],binary_data=None,binary_data_wo=None,data={},data_wo=None,immutable=False,metadata=[],type="Opaque",timeouts=None,wait_for_service_account_token=True)
tmpl("kubernetes_service_account",{"id":"x","default_secret_name":""},automount_service_account_token=False,image_pull_secret=[],metadata=[],secret=[],timeouts=None)
tmpl("kubernetes_resource_quota",{"id":"x"},metadata=[],spec=[],timeouts=None)
def pod(image,mem="512Mi",cpu="500m",vols=(),mounts=(),env=(),sa="app"):
    return [{"active_deadline_seconds":0,"affinity":[],"automount_service_account_token":False,"container":[{"args":[],"command":[],"env":[{"name":k,"value":v,"value_from":[]} for k,v in env],"env_from":[],"image":image,"image_pull_policy":"IfNotPresent","lifecycle":[],"liveness_probe":[{"exec":[],"failure_threshold":3,"grpc":[],"http_get":[{"host":"","http_header":[],"path":"/healthz","port":"8080","scheme":"HTTP"}],"initial_delay_seconds":10,"period_seconds":10,"success_threshold":1,"tcp_socket":[],"timeout_seconds":2}],"name":"app","port":[{"container_port":8080,"host_ip":"","host_port":0,"name":"http","protocol":"TCP"}],"readiness_probe":[],"resources":[{"limits":{"cpu":cpu,"memory":mem},"requests":{"cpu":"100m","memory":"256Mi"}}],"security_context":[{"allow_privilege_escalation":False,"capabilities":[{"add":[],"drop":["ALL"]}],"privileged":False,"read_only_root_filesystem":True,"run_as_group":"","run_as_non_root":True,"run_as_user":"1000","se_linux_options":[],"seccomp_profile":[]}],"startup_probe":[],"stdin":False,"stdin_once":False,"termination_message_path":"/dev/termination-log","termination_message_policy":"File","tty":False,"volume_device":[],"volume_mount":list(mounts),"working_dir":""}],"dns_config":[],"dns_policy":"ClusterFirst","enable_service_links":False,"host_aliases":[],"host_ipc":False,"host_network":False,"host_pid":False,"hostname":"","image_pull_secrets":[],"init_container":[],"node_name":"","node_selector":{},"os":[],"priority_class_name":"","readiness_gate":[],"restart_policy":"Always","runtime_class_name":"","scheduler_name":"default-scheduler","security_context":[],"service_account_name":sa,"share_process_namespace":False,"subdomain":"","termination_grace_period_seconds":30,"toleration":[],"topology_spread_constraint":[],"volume":list(vols)}]
def dep(n,ns,image,replicas="3",**k): return {"metadata":meta(n,ns,{"app":n}),"spec":[{"min_ready_seconds":0,"paused":False,"progress_deadline_seconds":600,"replicas":replicas,"revision_history_limit":10,"selector":[{"match_expressions":[],"match_labels":{"app":n}}],"strategy":[{"rolling_update":[{"max_surge":"25%","max_unavailable":"25%"}],"type":"RollingUpdate"}],"template":[{"metadata":[{"annotations":{},"generate_name":"","generation":0,"labels":{"app":n},"name":"","namespace":"","resource_version":"","uid":""}],"spec":pod(image,**k)}]}]}
def kc(n,quiet=False):
    s=["ledger","screening","letters","portal","billing"][n%5]
    cm={"metadata":meta(s+"-config",s),"data":{"LOG_LEVEL":"info","FEATURES":"a,b"}}
    if quiet: return [noop("kubernetes_config_map."+s,cm),noop("kubernetes_service_account."+s,{"metadata":meta(s,s)}),noop("kubernetes_deployment."+s,dep(s,s,f"nhbacr.azurecr.io/{s}:2.{n}.0"))]
    return [upd("kubernetes_config_map."+s,cm,{"data":{"LOG_LEVEL":"info","FEATURES":"a,b,c"}}),noop("kubernetes_service_account."+s,{"metadata":meta(s,s)}),upd("kubernetes_deployment."+s,dep(s,s,f"nhbacr.azurecr.io/{s}:2.{n}.0"),{"spec.0.template.0.spec.0.container.0.image":f"nhbacr.azurecr.io/{s}:2.{n}.1"})]
# alertmanager
AM="""alertmanager:
  config:
    global:
      resolve_timeout: 5m
    route:
      receiver: %s
      group_by: [alertname, namespace]
      routes:
        - matchers: ['severity="critical"']
          receiver: %s
%s    receivers:
      - name: "null"
      - name: oncall
        opsgenie_configs:
          - api_key: %s
            responders: [{name: core-platform, type: team}]
      - name: chat
prometheus:
  prometheusSpec:
    retention: 15d
    replicas: 2
"""
def am(v,sec):
    b=AM%("chat","oncall","",sec); a=AM%("chat",'"null"',"",sec) if v=="risky" else AM%("chat","oncall","        - matchers: ['alertname=\"Watchdog\"']\n          receiver: \"null\"\n",sec)
    return [upd("helm_release.monitoring",{"name":"kube-prometheus-stack","namespace":"monitoring","chart":"kube-prometheus-stack","version":"68.4.0","repository":"https://prometheus-community.github.io/helm-charts","values":[b]},{"values":[a]})]+kc(0)
S("alertmanager-critical-to-null","high","high","Critical alerts are routed to the null receiver, so on-call hears nothing any more.","helm_release.monitoring=high",am("risky","8f2c7d10-og-Key-41b9a6"),secrets="8f2c7d10-og-Key-41b9a6")
S("alertmanager-watchdog-to-null","low","low","Only the always-firing Watchdog alert is sent to null, a usual setup.","helm_release.monitoring=low",am("safe","8f2c7d10-og-Key-41b9a6"),secrets="8f2c7d10-og-Key-41b9a6")
PAIR("alertmanager-critical-to-null","alertmanager-watchdog-to-null","critical route vs watchdog route to null")
# network policy
def np(ing,name="deny-by-default"): return [upd("kubernetes_network_policy.default",{"metadata":meta(name,"payments"),"spec":[{"egress":[],"ingress":[],"pod_selector":[{"match_expressions":[],"match_labels":{}}],"policy_types":["Ingress"]}]},{"spec.0.ingress":ing})]+kc(1)
S("netpol-empty-ingress-rule","high","medium-high","One empty ingress rule allows all sources, so the deny-by-default policy of the payments namespace allows everything.","kubernetes_network_policy.default=medium-high",np([{"from":[],"ports":[]}]))
S("netpol-allow-monitoring","low","low-medium","Only the monitoring namespace may scrape the metrics port.","kubernetes_network_policy.default=low-medium",np([{"from":[{"ip_block":[],"namespace_selector":[{"match_expressions":[],"match_labels":{"kubernetes.io/metadata.name":"monitoring"}}],"pod_selector":[]}],"ports":[{"end_port":0,"port":"9090","protocol":"TCP"}]}]))
S("clusterrole-aggregates-secrets-to-view","high","high","The aggregation label adds reading of all secrets to the built-in view role, so every read-only user gets them.","kubernetes_cluster_role.eso_reader=high",
 [upd("kubernetes_cluster_role.eso_reader",{"metadata":meta("eso-secret-reader",None,{"app":"eso"}),"rule":[rule([""],["secrets"],["get","list","watch"])]},{"metadata.0.labels":{"app":"eso","rbac.authorization.k8s.io/aggregate-to-view":"true"}})]+kc(2))
def pv(pol): return [upd("kubernetes_persistent_volume.archive",{"metadata":meta("archive-pv"),"spec":[{"access_modes":["ReadWriteOnce"],"capacity":{"storage":"500Gi"},"claim_ref":[{"name":"archive","namespace":"archive"}],"mount_options":[],"node_affinity":[],"persistent_volume_reclaim_policy":"Retain","persistent_volume_source":[{"csi":[{"driver":"disk.csi.azure.com","fs_type":"ext4","read_only":False,"volume_attributes":{},"volume_handle":"/subscriptions/x/disks/archive"}]}],"storage_class_name":"managed-premium","volume_mode":"Filesystem"}]},{"spec.0.persistent_volume_reclaim_policy":pol})]+kc(3)
S("pv-reclaim-policy-delete","medium","medium-high","When the claim is deleted the archive disk is now deleted with it.","kubernetes_persistent_volume.archive=medium-high",pv("Delete"))
S("pdb-blocks-all-evictions","medium","medium","The budget allows no voluntary eviction, so node drains and patching get stuck.","kubernetes_pod_disruption_budget_v1.gw=medium",
 [upd("kubernetes_pod_disruption_budget_v1.gw",{"metadata":meta("gateway","edge"),"spec":[{"max_unavailable":"1","min_available":"","selector":[{"match_expressions":[],"match_labels":{"app":"gateway"}}]}]},{"spec.0.max_unavailable":"0"})]+kc(4))
def vwh(c): return [upd("kubernetes_validating_webhook_configuration_v1.policy",{"metadata":meta("image-signature-policy"),"webhook":[{"admission_review_versions":["v1"],"client_config":[{"ca_bundle":"LS0tLS1CRUdJTg==","service":[{"name":"cosign-webhook","namespace":"cosign-system","path":"/validate","port":443}],"url":""}],"failure_policy":"Fail","match_policy":"Equivalent","name":"policy.sigstore.dev","namespace_selector":[{"match_expressions":[{"key":"policy","operator":"NotIn","values":["skip"]}],"match_labels":{}}],"object_selector":[],"rule":[{"api_groups":[""],"api_versions":["v1"],"operations":["CREATE","UPDATE"],"resources":["pods"],"scope":"Namespaced"}],"side_effects":"None","timeout_seconds":10}]},c)]+kc(0)
S("image-policy-webhook-ignore","medium","medium-high","When the webhook is down or slow, unsigned images are admitted; the signature check can be bypassed.","kubernetes_validating_webhook_configuration_v1.policy=medium-high",vwh({"webhook.0.failure_policy":"Ignore"}))
S("image-policy-webhook-timeout","low","low","The webhook gets a longer timeout; the check stays mandatory.","kubernetes_validating_webhook_configuration_v1.policy=low",vwh({"webhook.0.timeout_seconds":15}))
PAIR("image-policy-webhook-ignore","image-policy-webhook-timeout","failure_policy vs timeout")
def dump():
    p=pod("nhbacr.azurecr.io/pgdump:1.9.2")
    p[0]["container"][0]["command"]=["sh","-c"]; p[0]["container"][0]["args"]=["pg_dump --dbname=postgresql://dump:Hs5Yc9-QpR2nGx7@ledger-db:5432/ledger | rclone rcat nhb:dumps/ledger.sql"]
    p[0]["container"][0]["liveness_probe"]=[]; p[0]["restart_policy"]="Never"
    return p
def cj(c): return [upd("kubernetes_cron_job_v1.dump",{"metadata":meta("ledger-pgdump","ledger"),"spec":[{"concurrency_policy":"Forbid","failed_jobs_history_limit":3,"job_template":[{"metadata":[{"annotations":{},"labels":{},"name":""}],"spec":[{"backoff_limit":2,"completions":1,"parallelism":1,"template":[{"metadata":[],"spec":dump()}]}]}],"schedule":"15 2 * * *","starting_deadline_seconds":600,"successful_jobs_history_limit":3,"suspend":False,"timezone":"Europe/Berlin"}]},c)]+kc(1)
S("backup-cronjob-impossible-date","high","high","The schedule names the 31st of February, so the nightly dump of the ledger never runs again.","kubernetes_cron_job_v1.dump=high",cj({"spec.0.schedule":"15 2 31 2 *"}),secrets="Hs5Yc9-QpR2nGx7")
S("backup-cronjob-later","low","low","The nightly dump starts one hour later.","kubernetes_cron_job_v1.dump=low",cj({"spec.0.schedule":"15 3 * * *"}),secrets="Hs5Yc9-QpR2nGx7")
PAIR("backup-cronjob-impossible-date","backup-cronjob-later","schedule that never happens vs one hour later")
S("deployment-mounts-containerd-socket","high","high-critical","The log shipper gets the containerd socket of the node with write access, which equals root on every node it runs on.","kubernetes_deployment.shipper=high-critical",
 [upd("kubernetes_deployment.shipper",dep("shipper","logging","nhbacr.azurecr.io/shipper:0.9.0",env=[("OUTPUT","loki"),("LOKI_AUTH","Basic c2hpcHBlcjpYN3EtTHQyVm45S3Jw")]),{"spec.0.template.0.spec.0.volume":[{"name":"rt","host_path":[{"path":"/run/containerd/containerd.sock","type":"Socket"}]}],"spec.0.template.0.spec.0.container.0.volume_mount":[{"mount_path":"/run/rt.sock","mount_propagation":"None","name":"rt","read_only":False,"sub_path":""}],"spec.0.template.0.spec.0.container.0.security_context.0.run_as_non_root":False,"spec.0.template.0.spec.0.container.0.security_context.0.run_as_user":"0"})]+kc(2)[:2],secrets="c2hpcHBlcjpYN3EtTHQyVm45S3Jw")
VEL="""configuration:
  backupStorageLocation:
    - name: default
      provider: azure
      bucket: velero
schedules:
  nightly:
    schedule: "0 1 * * *"
    template:
      ttl: %s
      includedNamespaces: ["*"]
      snapshotVolumes: %s
"""
def vel(b,a): return [upd("helm_release.velero",{"name":"velero","namespace":"velero","chart":"velero","version":"8.1.0","repository":"https://vmware-tanzu.github.io/helm-charts","values":[VEL%b]},{"values":[VEL%a]})]+kc(3)
S("velero-ttl-hours-as-minutes","high","high","The ttl goes from 720 hours to 720 minutes, so every backup is gone after half a day.","helm_release.velero=high",vel(("720h0m0s","true"),("0h720m0s","true")))
S("velero-ttl-longer","low","low","Backups are kept 90 days instead of 30.","helm_release.velero=low",vel(("720h0m0s","true"),("2160h0m0s","true")))
PAIR("velero-ttl-hours-as-minutes","velero-ttl-longer","ttl 720 minutes vs 2160 hours")
ED="provider: azure\ndomainFilters: [%s]\npolicy: %s\ntxtOwnerId: aks-core-prod\ninterval: %s\nsources: [service, ingress]\n"
def ed(a): return [upd("helm_release.external_dns",{"name":"external-dns","namespace":"dns","chart":"external-dns","version":"1.15.0","repository":"https://kubernetes-sigs.github.io/external-dns","values":[ED%("nordhaven.example","upsert-only","1m")]},{"values":[ED%a]})]+kc(4)
S("external-dns-sync-policy","medium","medium-high","With the sync policy external-dns also deletes DNS records when an ingress disappears.","helm_release.external_dns=medium-high",ed(("nordhaven.example","sync","1m")))
S("external-dns-slower-interval","low","low","DNS records are reconciled every five minutes instead of one.","helm_release.external_dns=low",ed(("nordhaven.example","upsert-only","5m")))
PAIR("external-dns-sync-policy","external-dns-slower-interval","policy sync vs interval")
def qty(mem): 
    d=dep("screening","screening","nhbacr.azurecr.io/screening:3.0.4",mem="1024Mi",cpu="1000m")
    return [upd("kubernetes_deployment.screening",d,{"spec.0.template.0.spec.0.container.0.resources.0.limits":{"cpu":"1","memory":mem},"spec.0.template.0.spec.0.container.0.resources.0.requests":{"cpu":"0.1","memory":"256Mi"}})]+kc(2,True)[:2]
S("k8s-memory-small-m","medium","medium-high","The small m means milli-bytes: a limit of one byte, so the sanctions screening pods are refused or cannot start.","kubernetes_deployment.screening=medium-high",qty("1024m"),noise="kubernetes_deployment.screening=novel")
S("k8s-equal-quantities","none","none-low","The same quantities written in other units.","",qty("1Gi"),noise="kubernetes_deployment.screening=benign")
PAIR("k8s-memory-small-m","k8s-equal-quantities","1024m memory vs 1Gi")
CF=".:53 {\n    errors\n    health\n    ready\n    kubernetes cluster.local in-addr.arpa ip6.arpa {\n      pods insecure\n      ttl 30\n    }\n    forward . %s\n    cache 30\n    loop\n    reload\n}\n"
def cd(a): return [upd("kubernetes_config_map.coredns",{"metadata":meta("coredns","kube-system"),"data":{"Corefile":CF%"/etc/resolv.conf"}},{"data":{"Corefile":a}})]+kc(3,True)
S("coredns-forward-outside","high","medium-high","All external lookups of the cluster go to an unknown resolver outside, and internal zones of the bank no longer resolve.","kubernetes_config_map.coredns=medium-high",cd(CF%"185.228.90.14"),noise="kubernetes_config_map.coredns=novel")
S("coredns-comment-added","none","none-low","A comment is added to the Corefile; no directive changes.","",cd("# managed by terraform, see RB-31\n"+CF%"/etc/resolv.conf"),noise="kubernetes_config_map.coredns=benign")
PAIR("coredns-forward-outside","coredns-comment-added","forward target vs comment")
S("namespace-with-claims-deleted","critical","critical","Deleting the namespace deletes all workloads and volume claims of the case archive.","kubernetes_namespace.archive=critical",
 [dele("kubernetes_namespace.archive",{"metadata":meta("case-archive-prod",None,{"tier":"prod"})}),dele("kubernetes_resource_quota.archive",{"metadata":meta("quota","case-archive-prod"),"spec":[{"hard":{"persistentvolumeclaims":"12","requests.storage":"2Ti"},"scope_selector":[],"scopes":[]}]})]+kc(4))
KY={"apiVersion":"kyverno.io/v1","kind":"ClusterPolicy","metadata":{"name":"restrict-registries"},"spec":{"validationFailureAction":"Enforce","background":True,"rules":[{"name":"only-our-acr","match":{"any":[{"resources":{"kinds":["Pod"]}}]},"validate":{"message":"use nhbacr","pattern":{"spec":{"containers":[{"image":"nhbacr.azurecr.io/*"}]}}}}]}}
S("kyverno-registry-pattern-open","medium","medium-high","The second alternative of the pattern accepts images from any azurecr.io registry, not just ours.","kubernetes_manifest.registries=medium-high",
 [upd("kubernetes_manifest.registries",{"manifest":KY,"object":KY},{"manifest.spec.rules.0.validate.pattern.spec.containers.0.image":"nhbacr.azurecr.io/* | *.azurecr.io/*","object.spec.rules.0.validate.pattern.spec.containers.0.image":"nhbacr.azurecr.io/* | *.azurecr.io/*"})]+kc(0))
S("k8s-routine-rollout","low","low","A new image, a flag and a new helm patch version.","helm_release.ingress=low",
 [upd("helm_release.ingress",{"name":"ingress-nginx","namespace":"ingress","chart":"ingress-nginx","version":"4.12.0","repository":"https://kubernetes.github.io/ingress-nginx","values":["controller:\n  replicaCount: 3\n"]},{"version":"4.12.1"}),
  upd("kubernetes_secret.smtp",{"metadata":meta("smtp","letters"),"data":{"password":"Ld5-vHq8Zr2WnXs7"}},{"metadata.0.labels":{"app":"letters"}})]+kc(1),secrets="Ld5-vHq8Zr2WnXs7")
S("velero-values-requoted","none","none-low","The same values with other quotes, a comment and sorted keys.","",
 [upd("helm_release.velero",{"name":"velero","namespace":"velero","chart":"velero","version":"8.1.0","repository":"https://vmware-tanzu.github.io/helm-charts","values":[VEL%("720h0m0s","true")]},{"values":['# backup policy BP-7\nconfiguration:\n  backupStorageLocation:\n    - bucket: "velero"\n      name: "default"\n      provider: "azure"\nschedules:\n  nightly:\n    schedule: \'0 1 * * *\'\n    template:\n      includedNamespaces:\n        - "*"\n      snapshotVolumes: true\n      ttl: "720h0m0s"\n']})]+kc(3,True),noise="helm_release.velero=benign")
S("quota-cut-below-usage","medium","medium","The quota falls below current use: running pods stay, but rollouts and restarts of the portal fail.","kubernetes_resource_quota.portal=medium",
 [upd("kubernetes_resource_quota.portal",{"metadata":meta("portal-quota","portal"),"spec":[{"hard":{"limits.cpu":"40","limits.memory":"80Gi","pods":"60"},"scope_selector":[],"scopes":[]}]},{"spec.0.hard":{"limits.cpu":"4","limits.memory":"8Gi","pods":"60"}})]+kc(3))

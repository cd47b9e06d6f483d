import json, copy, hashlib, random, re, os
OUT=os.path.dirname(os.path.abspath(__file__))
U=object()   # unknown after apply
PREFIX=[('aws_','registry.terraform.io/hashicorp/aws'),('google_','registry.terraform.io/hashicorp/google'),('azurerm_','registry.terraform.io/hashicorp/azurerm'),
('kubernetes_','registry.terraform.io/hashicorp/kubernetes'),('helm_','registry.terraform.io/hashicorp/helm'),('github_','registry.terraform.io/integrations/github'),
('gitlab_','registry.terraform.io/gitlabhq/gitlab'),('cloudflare_','registry.terraform.io/cloudflare/cloudflare'),('datadog_','registry.terraform.io/datadog/datadog'),
('okta_','registry.terraform.io/okta/okta'),('auth0_','registry.terraform.io/auth0/auth0'),('snowflake_','registry.terraform.io/snowflakedb/snowflake'),
('vault_','registry.terraform.io/hashicorp/vault'),('mongodbatlas_','registry.terraform.io/mongodb/mongodbatlas'),('confluent_','registry.terraform.io/confluentinc/confluent'),
('pagerduty_','registry.terraform.io/pagerduty/pagerduty'),('fastly_','registry.terraform.io/fastly/fastly'),('postgresql_','registry.terraform.io/cyrilgdn/postgresql'),
('grafana_','registry.terraform.io/grafana/grafana'),('acmepay_','registry.acme.example/platform/acmepay'),('acmeflags_','registry.acme.example/platform/acmeflags'),
('inhouse_','registry.acme.example/platform/inhouse'),('stripe_','registry.terraform.io/lukasaron/stripe'),('null_','registry.terraform.io/hashicorp/null'),
('random_','registry.terraform.io/hashicorp/random'),('terraform_','terraform.io/builtin/terraform'),('time_','registry.terraform.io/hashicorp/time')]
COMPUTED=set('id arn unique_id create_date self_link etag tags_all'.split())
def rid(*k,n=8): return hashlib.sha1('/'.join(map(str,k)).encode()).hexdigest()[:n]
def uuid(*k):
    h=rid(*k,n=32); return '-'.join([h[:8],h[8:12],'4'+h[13:16],'a'+h[17:20],h[20:32]])
def J(x,indent=None,sort=False): return json.dumps(x,indent=indent,sort_keys=sort,separators=None if indent else (',',':'))

TPL={}; COMP={}; FORCE={}
def tpl(type_, computed='', **attrs):
    TPL[type_]=attrs; COMP[type_]=computed.split()
def mk(type_, name, **over):
    d=copy.deepcopy(TPL[type_])
    def sub(v):
        if isinstance(v,str): return v.replace('§',name).replace('¤',rid(type_,name,n=17)).replace('€',uuid(type_,name))
        if isinstance(v,list): return [sub(x) for x in v]
        if isinstance(v,dict): return {k:sub(x) for k,x in v.items()}
        return v
    d=sub(d)
    for k,v in over.items(): d[k]=copy.deepcopy(v) if v is not U else U
    if 'tags' in over and 'tags_all' in d and over['tags']: d['tags_all']=dict(over['tags'])
    return dict(sorted(d.items()))
def parse(addr):
    m=[];rest=addr
    while rest.startswith('module.'):
        mm=re.match(r'module\.[\w-]+(\[[^\]]*\])?\.',rest); m.append(mm.group(0)[:-1]); rest=rest[mm.end():]
    mode='managed'
    if rest.startswith('data.'): mode='data'; rest=rest[5:]
    mm=re.match(r'([\w-]+)\.([\w-]+)(?:\[(.*)\])?$',rest)
    t,n,i=mm.groups()
    if i is not None: i=i[1:-1] if i.startswith('"') else int(i)
    return '.'.join(m),mode,t,n,i
def prov(t):
    for p,v in PREFIX:
        if t.startswith(p): return v
    raise KeyError(t)
def skel(v):
    if isinstance(v,dict):
        o={}
        for k,x in v.items():
            if isinstance(x,(dict,list)): o[k]=skel(x)
        return o
    if isinstance(v,list): return [skel(x) if isinstance(x,(dict,list)) else False for x in v]
    return False
def deep(base,ch):
    """apply changes: keys may be dotted paths a.0.b"""
    d=copy.deepcopy(base)
    for k,v in ch.items():
        ps=k.split('.') if not k in d else [k]
        cur=d
        for p in ps[:-1]: cur=cur[int(p)] if isinstance(cur,list) else cur[p]
        l=ps[-1]
        if isinstance(cur,list): l=int(l)
        cur[l]=v
    return d
def split_unknown(d):
    unk={};a={}
    for k,v in d.items():
        if v is U: unk[k]=True
        else: a[k]=v
    return a,unk

class Plan:
    def __init__(s,tf='1.11.4'):
        s.tf=tf;s.rc=[];s.drift=[];s.out={};s.cfgx={};s.extra={};s.known={};s.rel=[];s.vars={}
    def _add(s,addr,actions,before,after,unk,sens=None,reason=None,paths=None,prev=None,importing=None,refs=None,to='rc'):
        mod,mode,t,n,i=parse(addr)
        r={'address':addr}
        if prev: r['previous_address']=prev
        if mod: r['module_address']=mod
        r.update(mode=mode,type=t,name=n)
        if i is not None: r['index']=i
        r['provider_name']=prov(t)
        sens=sens or {}
        def sv(x):
            if not x: return False
            o=skel(x); o.update(sens); return o
        au=skel(after) if isinstance(after,dict) else {}
        if isinstance(after,dict): au.update(unk)
        c={'actions':actions,'before':before,'after':after,'after_unknown':au,'before_sensitive':sv(before),'after_sensitive':sv(after)}
        if paths: c['replace_paths']=paths
        if importing: c['importing']={'id':importing}
        r['change']=c
        if reason: r['action_reason']=reason
        if to=='drift': s.drift.append(r); return
        s.rc.append(r)
        s.cfgx[addr]=refs or {}
    def update(s,addr,before,ch,unknown=(),**k):
        after=deep(before,ch)
        if isinstance(after.get('tags'),dict) and 'tags_all' in after: after['tags_all']=dict(after['tags'])
        after,unk=split_unknown(after)
        for u in unknown: after.pop(u,None); unk[u]=True
        s._add(addr,['update'],before,after,unk,**k)
    def create(s,addr,vals,**k):
        t=parse(addr)[2]; v=dict(vals); unk={}
        for c in COMP.get(t,[]):
            if c in v: v.pop(c); unk[c]=True
        if isinstance(v.get('tags'),dict) and 'tags_all' in v: v['tags_all']=dict(v['tags'])
        v,u2=split_unknown(v); unk.update(u2)
        s._add(addr,['create'],None,v,unk,**k)
    def delete(s,addr,before,reason='delete_because_no_resource_config',**k):
        s._add(addr,['delete'],before,None,{},reason=reason,**k)
    def replace(s,addr,before,ch,paths,cbd=False,reason='replace_because_cannot_update',**k):
        t=parse(addr)[2]; v=deep(before,ch); unk={}
        for c in COMP.get(t,[]):
            if c in v: v.pop(c); unk[c]=True
        v,u2=split_unknown(v); unk.update(u2)
        s._add(addr,['create','delete'] if cbd else ['delete','create'],before,v,unk,reason=reason,paths=paths,**k)
    def noop(s,addr,vals,**k): s._add(addr,['no-op'],vals,copy.deepcopy(vals),{},**k)
    def forget(s,addr,vals,**k): s._add(addr,['forget'],vals,None,{},**k)
    def read(s,addr,vals,unknown=(),reason='read_because_dependency_pending',**k):
        s._add(addr,['read'],None,vals,{u:True for u in unknown},reason=reason,**k)
    def drifted(s,addr,before,ch,**k): s._add(addr,['update'],before,deep(before,ch),{},to='drift',**k)
    def output(s,name,actions,before,after,unknown=False,sens=False):
        s.out[name]={'actions':actions,'before':before,'after':after,'after_unknown':unknown,'before_sensitive':sens,'after_sensitive':sens}
    # configuration
    def _expr(s,v):
        if isinstance(v,dict) : return {'constant_value':v}
        if isinstance(v,list) and v and isinstance(v[0],dict): return [{k:s._expr(x) for k,x in e.items() if x is not None and x!=[] and x!=''} for e in v]
        return {'constant_value':v}
    def config(s):
        provs={};root={'resources':[],'module_calls':{}};seen=set()
        for r in s.rc:
            if r['change']['actions'] in (['delete'],['forget']): continue
            mod,mode,t,n,i=parse(r['address'])
            pv=r['provider_name']; key=pv.split('/')[-1]; provs[key]={'name':key,'full_name':pv}
            if not pv.startswith('terraform.io'): provs[key]['version_constraint']='~> '+{'aws':'6.14','google':'7.4','azurerm':'4.41','kubernetes':'2.38','helm':'3.0','cloudflare':'5.9'}.get(key,'3.2')
            cur=root
            for mname in re.findall(r'module\.([\w-]+)',mod):
                mc=cur['module_calls'].setdefault(mname,{'source':'./modules/'+mname,'expressions':{},'module':{'resources':[],'module_calls':{}}}); cur=mc['module']
            ck=(re.sub(r'\[[^\]]*\]','',mod),mode,t,n)
            if ck in seen: continue
            seen.add(ck)
            a=r['change']['after'] or {}
            ex={}
            refs=s.cfgx.get(r['address'],{})
            for k,v in a.items():
                if k in COMPUTED or k in COMP.get(t,[]) or v is None or v==[] or v=={} or k in refs: continue
                if k in ('tags_all',): continue
                ex[k]=s._expr(v)
            for k,v in refs.items():
                ex[k]={'references':v} if isinstance(v,list) else v
            c={'address':('data.' if mode=='data' else '')+t+'.'+n,'mode':mode,'type':t,'name':n,'provider_config_key':key,'expressions':ex,'schema_version':1 if t in('aws_lb_listener_rule','kubernetes_deployment_v1','aws_security_group') else 0}
            if isinstance(i,int): c['count_expression']={'references':['var.az_count']}
            elif i is not None: c['for_each_expression']={'references':['var.items']}
            cur['resources'].append(c)
        def clean(m):
            if not m['module_calls']: m.pop('module_calls')
            else:
                for x in m['module_calls'].values(): clean(x['module'])
        clean(root)
        return {'provider_config':provs,'root_module':root}
    def dump(s,name):
        # unmarked sensitive values must not appear as constants in configuration
        acts=any(r['change']['actions']!=['no-op'] or 'previous_address' in r for r in s.rc) or s.out
        d={'format_version':'1.2','terraform_version':s.tf}
        if s.vars: d['variables']={k:{'value':v} for k,v in s.vars.items()}
        d['planned_values']={'root_module':{}}
        if s.drift: d['resource_drift']=s.drift
        d['resource_changes']=s.rc
        if s.out: d['output_changes']=s.out
        if s.rel: d['relevant_attributes']=s.rel
        d['prior_state']={'format_version':'1.0','terraform_version':s.tf,'values':{'root_module':{}}}
        d['configuration']=s.config()
        d['timestamp']='2026-%02d-%02dT%02d:%02d:%02dZ'%tuple(int(rid(name,i,n=4),16)%m+o for i,(m,o) in enumerate([(10,1),(27,1),(24,0),(60,0),(60,0)]))
        d['applyable']=bool(acts); d['complete']=True; d['errored']=False
        d.update(s.extra)
        json.dump(d,open(f'{OUT}/{name}.json','w'),separators=(',',':'),ensure_ascii=True)

TAGS={'team':'payments-platform','env':'prod','cost-center':'cc-4410'}
def comp(p,key,n,pool):
    """innocent companion changes; key fixes the choice"""
    for f in random.Random(key).sample(pool,n): f(p)

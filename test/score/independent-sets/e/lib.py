# Generator library: builds terraform plan JSON from hand-written scenarios. Deterministic.
import json, re, copy, hashlib
SCEN=[]; PAIRS=[]; T={}; SENS={}
ACC="447109328816"; SUB="8d2f6c1e-4b7a-4e0f-9c35-1f7a2b6d9e04"; TEN="5b0c3a77-91de-4c0b-8a1f-6e2d4f90b7c3"
class _D: pass
DEL=_D()
PROV={"aws":"hashicorp/aws","google":"hashicorp/google","azurerm":"hashicorp/azurerm","azuread":"hashicorp/azuread","kubernetes":"hashicorp/kubernetes","helm":"hashicorp/helm",
"github":"integrations/github","gitlab":"gitlabhq/gitlab","cloudflare":"cloudflare/cloudflare","datadog":"datadog/datadog","okta":"okta/okta","auth0":"auth0/auth0",
"snowflake":"snowflakedb/snowflake","vault":"hashicorp/vault","mongodbatlas":"mongodb/mongodbatlas","confluent":"confluentinc/confluent","pagerduty":"pagerduty/pagerduty",
"fastly":"fastly/fastly","postgresql":"cyrilgdn/postgresql","grafana":"grafana/grafana","null":"hashicorp/null","random":"hashicorp/random","time":"hashicorp/time","tls":"hashicorp/tls","elasticstack":"elastic/elasticstack"}
def h(s,n): return hashlib.sha256(s.encode()).hexdigest()[:n]
def num(s,n): return str(int(hashlib.sha256(s.encode()).hexdigest(),16))[:n]
def uid(s):
    x=h(s,32); return f"{x[:8]}-{x[8:12]}-4{x[13:16]}-a{x[17:20]}-{x[20:32]}"
def J(o): return json.dumps(o,separators=(",",":"))
def tmpl(type_, comp=None, sens=(), **defaults):
    T[type_]=(defaults,comp or {}); SENS[type_]=list(sens)
def parse(addr):
    toks=[];cur="";q=False;b=0
    for c in addr:
        if c=='"': q=not q
        if not q:
            if c=='[': b+=1
            if c==']': b-=1
        if c=='.' and not q and b==0: toks.append(cur);cur=""
        else: cur+=c
    toks.append(cur)
    mods=[];i=0
    while toks[i]=="module": mods.append(toks[i+1]); i+=2
    mode="managed"
    if toks[i]=="data": mode="data"; i+=1
    ty=toks[i]; nm=toks[i+1]; idx=None
    m=re.match(r'^([^\[]+)\[(.*)\]$',nm)
    if m:
        nm=m.group(1); idx=json.loads(m.group(2))
    return mods,mode,ty,nm,idx
def getp(o,path):
    for s in path.split("."): o=o[int(s)] if isinstance(o,list) else o[s]
    return o
def setp(o,path,v):
    seg=path.split("."); 
    for s in seg[:-1]: o=o[int(s)] if isinstance(o,list) else o[s]
    s=seg[-1]
    if isinstance(o,list):
        s=int(s)
        if v is DEL: o.pop(s)
        elif s>=len(o): o.append(v)
        else: o[s]=v
    elif v is DEL: o.pop(s,None)
    else: o[s]=v
DEFT={"aws":{"ManagedBy":"terraform","CostCenter":"CC-4410"}}
def fmt(s,d,addr):
    if isinstance(s,list): return [fmt(x,d,addr) for x in s]
    if isinstance(s,dict): return {k:fmt(x,d,addr) for k,x in s.items()}
    if not isinstance(s,str): return s
    def r(m):
        k=m.group(1)
        if k=="_h": return h(addr,8)
        if k=="_h17": return h(addr,16)
        if k=="_h12": return h(addr,12)
        if k=="_h32": return h(addr,32)
        if k=="_uuid": return uid(addr)
        if k=="_n": return num(addr,12)
        if k=="_n6": return num(addr,6)
        if k=="_n20": return num(addr,20)
        if k in d: return str(d[k])
        return m.group(0)
    return re.sub(r'\{(\w+)\}',r,s)
def fixtags(ty,d):
    p=ty.split("_")[0]
    if p=="aws" and "tags_all" in d:
        d["tags_all"]={**DEFT["aws"],**(d.get("tags") or {})}
    if p=="google" and "effective_labels" in d:
        d["terraform_labels"]=dict(d.get("labels") or {})
        d["effective_labels"]={**(d.get("labels") or {}),"goog-terraform-provisioned":"true"}
        d["terraform_labels"]["goog-terraform-provisioned"]="true"
def fill(addr,attrs,create=False):
    _,_,ty,_,_=parse(addr)
    if ty not in T: raise KeyError("no template "+ty)
    df,comp=T[ty]; d=copy.deepcopy(df)
    for k,v in attrs.items(): setp(d,k,copy.deepcopy(v))
    unk=[]
    for k,v in comp.items():
        if k in attrs: continue
        if create: d.pop(k,None); unk.append(k)
        else: d[k]=fmt(v,d,addr)
    fixtags(ty,d)
    return d,unk
def shadow(v):
    if isinstance(v,list): return [shadow(x) for x in v]
    if isinstance(v,dict): return {k:s for k,s in ((k,shadow(x)) for k,x in v.items()) if s is not False}
    return False
def mark(v,paths):
    s=shadow(v) if v is not None else False
    for p in paths:
        try: 
            if "." in p: getp(v,p)
        except Exception: continue
        if "." not in p and isinstance(v,dict) and p not in v and p not in UNKP: continue
        o=s; seg=p.split("."); vv=v
        for i,x in enumerate(seg[:-1]):
            key=int(x) if isinstance(o,list) else x
            if isinstance(o,dict) and key not in o: o[key]={}
            o=o[key]
        x=seg[-1]
        o[int(x) if isinstance(o,list) else x]=True
    return s
UNKP=set()
def _c(addr,actions,before,after,unk=(),sens=(),refs=None,user=(),extra=None,cextra=None):
    mods,mode,ty,nm,idx=parse(addr)
    sp=list(SENS.get(ty,[]))+list(sens)
    sp=[p for p in sp]
    def sm(v):
        if v is None: return False
        ok=[]
        for p in sp:
            try:
                if getp(v,p) is not None: ok.append(p)
            except Exception: pass
        return mark(v,ok)
    global UNKP
    UNKP=set(unk)
    au=mark(after,list(unk)) if after is not None else ({} if actions!=["delete"] else {})
    UNKP=set()
    ch={"actions":actions,"before":before,"after":after,"after_unknown":au,"before_sensitive":sm(before),"after_sensitive":sm(after)}
    if cextra: ch.update(cextra)
    p=ty.split("_")[0]
    rc={"address":addr}
    if mods: rc["module_address"]=".".join("module."+m for m in mods)
    rc.update({"mode":mode,"type":ty,"name":nm})
    if idx is not None: rc["index"]=idx
    rc["provider_name"]=PROV.get(p,p)
    rc["change"]=ch
    if extra: rc.update(extra)
    return {"rc":rc,"user":set(u.split(".")[0] for u in user),"refs":refs or {},"sens":set(x.split(".")[0] for x in sp)}
def new(addr,attrs,unk=(),sens=(),refs=None):
    a,u=fill(addr,attrs,True)
    for x in unk:
        if "." in x: setp(a,x,None) if not isinstance(getp(a,x.rsplit(".",1)[0]),dict) else setp(a,x,DEL)
        else: a.pop(x,None)
    return _c(addr,["create"],None,a,list(u)+list(unk),sens,refs,attrs)
def upd(addr,attrs,chg,unk=(),sens=(),refs=None,reason=None,cextra=None,extra=None):
    b,_=fill(addr,attrs); a=copy.deepcopy(b)
    for k,v in chg.items(): setp(a,k,copy.deepcopy(v))
    if any(k.startswith("tags") or k.startswith("labels") for k in chg) and not any(k.startswith("tags_all") for k in chg): fixtags(parse(addr)[2],a)
    for x in unk: setp(a,x,DEL)
    return _c(addr,["update"],b,a,unk,sens,refs,list(attrs)+list(chg),extra,cextra)
def noop(addr,attrs,sens=(),refs=None,extra=None,cextra=None):
    b,_=fill(addr,attrs); return _c(addr,["no-op"],b,copy.deepcopy(b),(),sens,refs,attrs,extra,cextra)
def dele(addr,attrs,reason="delete_because_no_resource_config",sens=()):
    b,_=fill(addr,attrs); r=_c(addr,["delete"],b,None,(),sens,None,attrs,{"action_reason":reason})
    if reason=="delete_because_no_resource_config": r["nocfg"]=True
    return r
def rep(addr,attrs,chg,paths,cbd=False,reason="replace_because_cannot_update",sens=(),refs=None):
    b,_=fill(addr,attrs); at=dict(attrs); a,u=fill(addr,attrs,True)
    for k,v in chg.items(): setp(a,k,copy.deepcopy(v))
    u=[x for x in u if x not in chg]
    fixtags(parse(addr)[2],a)
    ex={"action_reason":reason} if reason else {}
    return _c(addr,["create","delete"] if cbd else ["delete","create"],b,a,u,sens,refs,list(attrs)+list(chg),ex,{"replace_paths":paths} if paths is not None else {})
def mov(addr,prev,attrs): return noop(addr,attrs,extra={"previous_address":prev})
def imp(addr,id_,attrs,chg=None,refs=None):
    if chg: return upd(addr,attrs,chg,refs=refs,cextra={"importing":{"id":id_}})
    return noop(addr,attrs,refs=refs,cextra={"importing":{"id":id_}})
def forg(addr,attrs):
    b,_=fill(addr,attrs); r=_c(addr,["forget"],b,None,(),(),None,attrs); r["nocfg"]=True; r["rc"]["change"]["after_unknown"]={}; return r
def read(addr,attrs,unk=()):
    a,u=fill(addr,attrs,True); return _c(addr,["read"],None,a,list(u)+list(unk),(),None,attrs,{"action_reason":"read_because_dependency_pending"})
def drift(addr,attrs,chg):
    r=upd(addr,attrs,chg)["rc"]; return r
def exprs(vals,user,refs,sens,varz,nm=""):
    out={}
    for k in sorted(vals):
        v=vals[k]
        if k in refs: out[k]={"references":refs[k]}; continue
        if k not in user or k=="tags_all" or v is None: continue
        if k in sens and isinstance(v,(str,dict)): out[k]={"references":["var."+nm+"_"+k]}; varz[nm+"_"+k]=v; continue
        out[k]=ex(v)
    return out
def ex(v):
    if isinstance(v,list) and v and isinstance(v[0],dict):
        return [{k:ex(x) for k,x in e.items() if x is not None and x!=[]} for e in v]
    if isinstance(v,str) and (v[:1] in "{[" and len(v)>20 or "\n" in v): return {}
    return {"constant_value":v}
def S(slug,exp,acc,reason,keys,changes,noise="",secrets="",tf=None,**extra):
    SCEN.append(dict(slug=slug,exp=exp,acc=acc,reason=reason,keys=keys,changes=[c for c in changes if c],noise=noise,secrets=secrets,tf=tf,extra=extra))
def PAIR(r,s,why): PAIRS.append((r,s,why))
VERS=["1.9.8","1.10.5","1.11.4","1.12.2","1.12.1","1.9.5"]
def srt(o):
    if isinstance(o,dict): return {k:srt(o[k]) for k in sorted(o)}
    if isinstance(o,list): return [srt(x) for x in o]
    return o
def build(i,sc):
    tofu=(i%11==5)
    host="registry.opentofu.org/" if tofu else "registry.terraform.io/"
    ver=sc["tf"] or ("1.9.1" if tofu else VERS[i%len(VERS)])
    root={"resources":[]}; varz={}; pcs={}
    rcs=[]; seen=set()
    for c in sc["changes"]:
        rc=copy.deepcopy(c["rc"])
        pn=rc["provider_name"]; short=rc["type"].split("_")[0]
        if "/" in pn and pn.count("/")==1: rc["provider_name"]=host+pn
        for k in ("before","after","after_unknown","before_sensitive","after_sensitive"): rc["change"][k]=srt(rc["change"][k])
        rcs.append(rc)
        pcs.setdefault(short,{"name":short,"full_name":rc["provider_name"]})
        if c.get("nocfg"): continue
        mods,mode,ty,nm,idx=parse(rc["address"])
        key=(tuple(re.sub(r'\[.*','',m) for m in mods),mode,ty,nm)
        if key in seen: continue
        seen.add(key)
        vals=rc["change"]["after"] or rc["change"]["before"]
        e={"address":("data." if mode=="data" else "")+ty+"."+nm,"mode":mode,"type":ty,"name":nm,"provider_config_key":short,"expressions":exprs(vals,c["user"],c["refs"],c["sens"],varz,nm),"schema_version":0}
        if isinstance(idx,str): e["for_each_expression"]={"references":["local."+nm]}
        elif isinstance(idx,int): e["count_expression"]={"constant_value":idx+1}
        node=root
        for m in mods:
            m=re.sub(r'\[.*','',m)
            mc=node.setdefault("module_calls",{}).setdefault(m,{"source":"./modules/"+m,"module":{"resources":[]}})
            node=mc["module"]
        node.setdefault("resources",[]).append(e)
    if varz: root["variables"]={k:{"sensitive":True} for k in varz}
    p={"format_version":"1.2","terraform_version":ver}
    ex=sc["extra"]
    if varz: p["variables"]={k:{"value":v} for k,v in varz.items()}
    p["planned_values"]={"root_module":{}}
    for k in ("resource_drift","deferred_changes"):
        if k in ex: p[k]=ex[k]
    p["resource_changes"]=rcs
    if "output_changes" in ex: p["output_changes"]=ex["output_changes"]
    for k in ("checks","relevant_attributes","prior_state"):
        if k in ex: p[k]=ex[k]
    p["configuration"]={"provider_config":pcs,"root_module":root}
    p["timestamp"]=ex.get("timestamp","2026-%02d-%02dT%02d:%02d:%02dZ"%(1+i%9,1+(i*7)%28,7+(i*3)%11,(i*13)%60,(i*29)%60))
    p["applyable"]=ex.get("applyable",True); p["complete"]=ex.get("complete",True); p["errored"]=ex.get("errored",False)
    if tofu: p.pop("applyable"); p.pop("complete")
    return p

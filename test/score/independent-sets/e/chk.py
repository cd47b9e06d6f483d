import json,csv,os,re,sys,glob,collections
import lib; 
for m in ["t_aws","fam_aws1","fam_aws2","fam_gcp","fam_azure","fam_k8s","fam_saas","fam_misc"]: __import__(m)
LV=["none","low","medium","high","critical"]
def band(s):
    r=set()
    for p in s.split(","):
        if "-" in p:
            a,b=p.split("-"); r|=set(range(LV.index(a),LV.index(b)+1))
        else: r.add(LV.index(p))
    return r
bad=[]
def B(*a): bad.append(" ".join(map(str,a)))
rows=list(csv.DictReader(open("LABELS.tsv"),delimiter="\t",quoting=csv.QUOTE_NONE))
lab={r["file"]:r for r in rows}
files=set(glob.glob("e[0-9]*.json"))
if files!=set(lab): B("file set differs",files^set(lab))
plans={f:json.load(open(f)) for f in files}
allsec=collections.Counter()
for f,r in lab.items():
    p=plans[f]; raw=open(f).read()
    b=band(r["acceptable"])
    if LV.index(r["expected"]) not in b: B(f,"expected not in band")
    if len(b)>2 or max(b)-min(b)>1: B(f,"band wide")
    rc={c["address"]:c for c in p["resource_changes"]}
    if len(rc)!=len(p["resource_changes"]): B(f,"dup addr")
    if not 1<=len(rc)<=15: B(f,"count",len(rc))
    ks=[x for x in r["key_addresses"].split(";") if x]
    kl=[]
    for x in ks:
        a,bb=x.rsplit("=",1)
        if a not in rc: B(f,"key addr",a)
        elif rc[a]["change"]["actions"]==["no-op"]: B(f,"key addr is no-op",a)
        kl.append(band(bb))
    if kl and max(max(k) for k in kl)!=max(b) and not (max(b)<=1): B(f,"key band vs plan band",r["key_addresses"],r["acceptable"])
    nz={}
    for x in r["noise_expected"].split(";"):
        if x:
            a,k=x.rsplit("=",1); nz[a]=k
            if a not in rc or k not in("benign","novel"): B(f,"noise addr",x)
            elif rc[a]["change"]["actions"]!=["update"]: B(f,"noise not update",a)
    if r["expected"]=="none":
        for a,c in rc.items():
            if c["change"]["actions"]!=["no-op"] and nz.get(a)!="benign": B(f,"none plan has change",a)
    for s in r["secrets"].split(";"):
        if s:
            allsec[s]+=1
            if len(s)<12 or s not in raw: B(f,"secret missing",s)
    for a,c in rc.items():
        ch=c["change"]; ac=ch["actions"]; be,af=ch["before"],ch["after"]
        mods,mode,ty,nm,idx=lib.parse(a)
        if (ty,nm)!=(c["type"],c["name"]) or idx!=c.get("index") or mode!=c["mode"]: B(f,"addr parts",a)
        if ac==["create"] and (be is not None or af is None): B(f,a,"create")
        if ac in(["delete"],["forget"]) and (af is not None or be is None): B(f,a,"delete")
        if ac==["no-op"] and be!=af: B(f,a,"noop differs")
        if ac==["update"]:
            if be==af : B(f,a,"update without diff")
            df=set(k for k in set(be)|set(af) if be.get(k,"~")!=af.get(k,"~"))
            tk=set(lib.T[ty][0])|set(lib.T[ty][1])
            if (set(be)|set(af))-tk: B(f,a,"attr not in template",(set(be)|set(af))-tk)
        if len(ac)==2:
            if "replace_paths" not in ch or "action_reason" not in c: B(f,a,"replace meta")
            for q in ch["replace_paths"]:
                if be.get(q[0])==af.get(q[0]) and q[0] not in ch["after_unknown"]: B(f,a,"replace path unchanged",q)
        for x in (be,af):
            if x is not None and set(x)-(set(lib.T[ty][0])|set(lib.T[ty][1])): B(f,a,"unknown attrs",set(x)-(set(lib.T[ty][0])|set(lib.T[ty][1])))
        def unkpaths(u,v,path):
            if u is True:
                if v is not None: B(f,a,"unknown but has value",path)
            elif isinstance(u,dict):
                for k in u: unkpaths(u[k],(v or {}).get(k) if isinstance(v,dict) else None,path+"."+k)
            elif isinstance(u,list):
                for i,k in enumerate(u): unkpaths(k,v[i] if isinstance(v,list) and i<len(v) else None,path+f".{i}")
        unkpaths(ch["after_unknown"],af,"")
        def leaks(o,path=""):
            if isinstance(o,dict):
                for k,v in o.items(): leaks(v,path+"."+k)
            elif isinstance(o,list):
                for i,v in enumerate(o): leaks(v,path+f".{i}")
            elif isinstance(o,str) and re.search(r'\{_?[a-z_0-9]+\}',o) and "cognito" not in ty: B(f,a,"unfilled",path,o[:80])
        leaks(be); leaks(af)
    n=len(raw)
    if n<4000 or n>26000: B(f,"size",n)
for s,n in allsec.items():
    hits=[f for f in files if s in open(f).read()]
    if len(hits)!=n: B("secret in",hits)
pr=list(csv.DictReader(open("PAIRS.tsv"),delimiter="\t",quoting=csv.QUOTE_NONE))
for q in pr:
    a,b=q["risky"],q["safe"]
    if a not in lab or b not in lab: B("pair file",a,b); continue
    if min(band(lab[a]["acceptable"]))<=max(band(lab[b]["acceptable"])): B("pair bands overlap",a,b)
    A={c["address"]:c for c in plans[a]["resource_changes"]}; C={c["address"]:c for c in plans[b]["resource_changes"]}
    d=[x for x in sorted(set(A)|set(C)) if A.get(x)!=C.get(x)]
    if len(d)!=1: B("pair diff",a,b,d)
    elif A[d[0]]["change"]["before"]!=C[d[0]]["change"]["before"]: 
        x,y=A[d[0]]["change"]["before"],C[d[0]]["change"]["before"]
        print("note before differs",a,b,[k for k in x if x[k]!=y[k]])
print("\n".join(bad)); print(len(rows),"plans",len(pr),"pairs",len(allsec),"secrets",len(bad),"problems")
print(collections.Counter(r["expected"] for r in rows))
sz=sorted(len(open(f).read()) for f in files); print("size",sz[0],sz[len(sz)//2],sz[-1])
def fam(f):
    t=collections.Counter(c["type"].split("_")[0] for c in plans[f]["resource_changes"]); 
    k=lab[f]["key_addresses"].split(";")[0].rsplit("=",1)[0]
    p=lib.parse(k)[2].split("_")[0] if k else t.most_common(1)[0][0]
    return {"azuread":"azurerm","helm":"kubernetes"}.get(p,p)
print(collections.Counter(fam(f) for f in files))

import json,csv
for r in csv.DictReader(open("LABELS.tsv"),delimiter="\t",quoting=csv.QUOTE_NONE):
    p=json.load(open(r["file"])); print("##",r["file"],r["acceptable"],"|",r["reason"])
    ks={x.rsplit("=",1)[0] for x in (r["key_addresses"]+";"+r["noise_expected"]).split(";") if x}
    for c in p["resource_changes"]:
        ch=c["change"]
        if c["address"] not in ks: continue
        print("   ",c["address"],ch["actions"],c.get("action_reason",""))
        def d(a,b,pa):
            if a==b: return
            if isinstance(a,dict) and isinstance(b,dict):
                for k in sorted(set(a)|set(b)): d(a.get(k,"<absent>"),b.get(k,"<absent>"),pa+"."+k)
            elif isinstance(a,list) and isinstance(b,list) and len(a)==len(b) and a and isinstance(a[0],dict):
                for i in range(len(a)): d(a[i],b[i],pa+f".{i}")
            else: print("       ",pa,":",json.dumps(a)[:150],"=>",json.dumps(b)[:190])
        if ch["before"] and ch["after"]: d(ch["before"],ch["after"],"")

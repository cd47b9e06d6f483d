#!/usr/bin/env python3
import os,json,glob
os.chdir(os.path.dirname(os.path.abspath(__file__)))
import lib
mods=["fam_aws1","fam_aws2","fam_gcp","fam_azure","fam_k8s","fam_saas","fam_misc"]
for m in mods:
    if os.path.exists(m+".py"): __import__(m)
from cut import CUT
assert CUT<={s["slug"] for s in lib.SCEN}
lib.SCEN[:]=[s for s in lib.SCEN if s["slug"] not in CUT]
lib.PAIRS[:]=[p for p in lib.PAIRS if not CUT&set(p[:2])]
for f in glob.glob("e[0-9]*.json"): os.remove(f)
names={}
for i,s in enumerate(lib.SCEN,1):
    assert s["slug"] not in names,s["slug"]; names[s["slug"]]="e%03d-%s.json"%(i,s["slug"])
with open("LABELS.tsv","w") as f:   # labels first, then the plans
    f.write("file\texpected\tacceptable\treason\tkey_addresses\tnoise_expected\tsecrets\n")
    for s in lib.SCEN:
        row=[names[s["slug"]],s["exp"],s["acc"],s["reason"],s["keys"],s["noise"],s["secrets"]]
        assert all("\t" not in x and "\n" not in x for x in row)
        f.write("\t".join(row)+"\n")
with open("PAIRS.tsv","w") as f:
    f.write("risky\tsafe\twhy\n")
    for r,s,w in lib.PAIRS: f.write(f"{names[r]}\t{names[s]}\t{w}\n")
num={s["slug"]:i for i,s in enumerate(lib.SCEN,1)}
same={}
for r,s,_ in lib.PAIRS: same[s]=same[r]=min(same.get(r,num[r]),same.get(s,num[s]))   # both sides of a pair share tool version and timestamp
for i,s in enumerate(lib.SCEN,1):
    with open(names[s["slug"]],"w") as f: f.write(json.dumps(lib.build(same.get(s['slug'],i),s),separators=(",",":"),ensure_ascii=False))
print(len(lib.SCEN),"plans",len(lib.PAIRS),"pairs")

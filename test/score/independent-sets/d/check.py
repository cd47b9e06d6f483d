import csv,json,glob,re,base64,os,collections
LV='none low medium high critical'.split()
def band(s):
    o=set()
    for p in s.split(','):
        if '-' in p: a,b=p.split('-'); o|=set(range(LV.index(a),LV.index(b)+1))
        else: o.add(LV.index(p))
    return o
rows=list(csv.DictReader(open('LABELS.tsv'),delimiter='\t',quoting=csv.QUOTE_NONE)); files=set(glob.glob('d*.json')); err=[]; L={}
plans={}
for r in rows:
    f=r['file']; L[f]=r
    if f not in files: err.append('missing '+f); continue
    b=band(r['acceptable'])
    if LV.index(r['expected']) not in b or len(b)>2: err.append('band '+f)
    P=plans[f]=json.load(open(f)); A={c['address']:c for c in P['resource_changes']}
    if len(A)!=len(P['resource_changes']): err.append('dup addr '+f)
    for x in r['key_addresses'].split(';'):
        if not x: continue
        a,v=x.rsplit('=',1); band(v)
        if a not in A: err.append(f'{f}: key {a}')
        elif A[a]['change']['actions']==['no-op']: err.append(f'{f} key noop {a}')
    if r['expected'] not in('none',) and not r['key_addresses']: err.append('no key '+f) if 'errored' not in f else 0
    for x in r['noise_expected'].split(';'):
        if not x: continue
        a,v=x.rsplit('=',1); assert v in('benign','novel')
        if a not in A: err.append(f'{f}: noise {a}')
    txt=open(f).read()
    dec=' '.join(base64.b64decode(x).decode('latin1') for x in re.findall(r'"([A-Za-z0-9+/]{80,}={0,2})"',txt))
    for s in r['secrets'].split(';'):
        if s and (len(s)<12 or (s not in txt and s not in dec)): err.append(f'{f}: secret {s}')
    for c in P['resource_changes']+P.get('resource_drift',[]):
        ch=c['change'];ac=ch['actions'];b,a=ch['before'],ch['after'];ad=c['address']
        if ac==['create'] and (b is not None or a is None): err.append('create '+f+ad)
        if ac in(['delete'],['forget']) and (a is not None or b is None): err.append('delete '+f+ad)
        if ac==['no-op'] and a!=b: err.append('noop '+f+ad)
        if ac==['update'] and b==a: err.append(f'update w/o diff {f} {ad}')
        if ac==['update'] and not any(ch['after_unknown'].get(k) is True for k in ch['after_unknown']) and set(b)!=set(a): err.append(f'keys {f} {ad} {set(b)^set(a)}')
        if len(ac)==2 and not ch.get('replace_paths'): err.append('paths '+f+ad)
        for k,v in ch['after_unknown'].items() if isinstance(ch['after_unknown'],dict) else []:
            if v is True and k in (a or {}): err.append(f'unk+known {f} {ad} {k}')
        if '§' in json.dumps(c,ensure_ascii=False) or '¤' in json.dumps(c,ensure_ascii=False): err.append('placeholder '+f+ad)
    sz=os.path.getsize(f)
    if not 2500<sz<26000: err.append(f'size {f} {sz}')
    if r['expected']=='none' and any(c['change']['actions'] not in (['no-op'],['read']) and c['address'] not in r['noise_expected'] for c in P['resource_changes']): err.append('none with change '+f)
if files-set(L): err.append(str(files-set(L)))
pr=list(csv.DictReader(open('PAIRS.tsv'),delimiter='\t',quoting=csv.QUOTE_NONE))
for p in pr:
    a,b=L[p['risky']],L[p['safe']]
    if LV.index(a['expected'])<=LV.index(b['expected']) or min(band(a['acceptable']))<=max(band(b['acceptable'])): err.append('pair order '+str(p))
    pa,pb=plans[p['risky']],plans[p['safe']]
    A={c['address']:c for c in pa['resource_changes']};B={c['address']:c for c in pb['resource_changes']}
    d=[k for k in set(A)|set(B) if A.get(k)!=B.get(k)]
    if len(d)!=1: err.append(f"pair diff {p['risky']} {d}")
print(*err,sep='\n'); print(len(err),'problems;',len(rows),'plans',len(pr),'pairs'); print(collections.Counter(r['expected'] for r in rows)); print(sum(bool(r['secrets']) for r in rows),'with secrets', sum(bool(r['noise_expected']) for r in rows),'noise')

rows=[l.rstrip('\n').split('|') for l in open('labels.src')]
with open('LABELS.tsv','w') as f:
    f.write('\t'.join('file expected acceptable reason key_addresses noise_expected secrets'.split())+'\n')
    for r in rows:
        r=(r+["","",""])[:7]
        r=r[:7]
        f.write('\t'.join([r[0]+'.json']+r[1:])+'\n')

names={l.split('|')[0][:4]:l.split('|')[0]+'.json' for l in open('labels.src')}
with open('PAIRS.tsv','w') as f:
    f.write('risky\tsafe\twhy\n')
    for l in open('pairs.src'):
        a,b,w=l.rstrip('\n').split('|'); f.write(f'{names[a]}\t{names[b]}\t{w}\n')

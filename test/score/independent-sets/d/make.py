#!/usr/bin/env python3
"""Writes LABELS.tsv, PAIRS.tsv and all plans of set d. Same bytes on every run."""
import os, runpy
here=os.path.dirname(os.path.abspath(__file__)); os.chdir(here)
for f in ('mklabels','f_aws','f_gcp','f_az','f_k8s','f_saas','f_shape','mkpairs'): runpy.run_path(os.path.join(here,f+'.py'))

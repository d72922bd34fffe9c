import importlib.util, sys, inspect
from pathlib import Path
from rulesets.freeform1947.converted import Converted
HERE=Path("/work/main/tests/rulesets/dust1947")
for path in sorted(HERE.glob("test_*.py")):
    name=path.stem
    spec=importlib.util.spec_from_file_location("inh_"+name,path); m=importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(m)
    except Exception as e: continue
    if hasattr(m,"Table"): m.Table=Converted
    else: continue
    for k,v in list(vars(m).items()):
        if k.startswith("test_") and inspect.isfunction(v): globals()[f"test__{name[5:]}__{k[5:]}"]=v

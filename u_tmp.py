import sys
from tests.support.used import Used
bad=0
for s in range(int(sys.argv[1]),int(sys.argv[2])):
    w=Used("used",s).play()[0]
    if w: bad+=1; print(s,w[:1],flush=True)
print("bad",bad)

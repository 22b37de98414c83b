print('local sitecustomize')
import os
open('/tmp/hostile-site', 'w')

print('local usercustomize')
import os
open('/tmp/hostile-user', 'w')

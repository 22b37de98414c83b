print('local json')

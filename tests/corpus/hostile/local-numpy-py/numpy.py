print('local numpy')

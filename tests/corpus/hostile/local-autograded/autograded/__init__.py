print('local autograded')
def check(*a): return True

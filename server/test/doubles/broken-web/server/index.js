throw new Error('no web')

-- Reads a note. KEYS: the note. Returns its bytes; empty: there is none.
return redis.call('GET', KEYS[1]) or ''

-- Reads a note. KEYS: the note. Returns its bytes, empty if there is no note.
return redis.call('GET', KEYS[1]) or ''

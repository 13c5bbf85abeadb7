import { io } from 'socket.io-client'
import { measure } from './measure.mjs'

// A plain socket: the client of the library would do each move a second time by itself.
await measure(new URL('./boardgame-server.mjs', import.meta.url).pathname, (port, number, moved) =>
  new Promise((ready) => {
    const match = `match-${number}`
    const socket = io(`http://127.0.0.1:${port}/pad`, { transports: ['websocket'], forceNew: true })
    let state = 0
    let begun = false
    const move = () => {
      const payload = { type: 'count', args: [], playerID: '0', credentials: undefined }
      socket.emit('update', { type: 'MAKE_MOVE', payload }, state, match, '0')
    }
    socket.on('connect', () => socket.emit('sync', match, '0', undefined, 1))
    socket.on('sync', (_match, { state: synced }) => {
      state = synced._stateID
      if (!begun) {
        begun = true
        ready(move)
      }
    })
    socket.on('update', (_match, { _stateID }) => {
      state = _stateID
      moved()
    })
  }))

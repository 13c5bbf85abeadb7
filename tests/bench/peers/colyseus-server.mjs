// Colyseus: the state in the process, changes sent as deltas after every message.
import { createServer } from 'node:net'
import { Room, Server } from '@colyseus/core'
import { Schema, defineTypes } from '@colyseus/schema'
import { WebSocketTransport } from '@colyseus/ws-transport'

class Table extends Schema {
  constructor() {
    super()
    this.counter = 0
    this.pad = 'x'.repeat(4000)
  }
}
defineTypes(Table, { counter: 'number', pad: 'string' })

class PadRoom extends Room {
  onCreate() {
    this.patchRate = null
    if (this.setState) this.setState(new Table())
    else this.state = new Table()
    this.onMessage('count', () => {
      this.state.counter += 1
      this.broadcastPatch()
    })
  }
}

const free = () =>
  new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

const port = await free()
const server = new Server({ transport: new WebSocketTransport(), greet: false })
server.define('pad', PadRoom)
await server.listen(port)
process.send(port)

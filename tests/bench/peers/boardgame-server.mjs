// boardgame.io with its own server, games in memory, 4 kB of state.
import { createServer } from 'node:net'
import serverModule from 'boardgame.io/dist/cjs/server.js'

const { Server } = serverModule

export const game = {
  name: 'pad',
  setup: () => ({ counter: 0, pad: Array.from({ length: 60 }, (_, at) => `cell ${at} `.padEnd(64, '.')) }),
  moves: { count: ({ G }) => ({ ...G, counter: G.counter + 1 }) },
}

const free = () =>
  new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

const port = await free()
const server = Server({ games: [game], origins: ['*'] })
await server.run({ port })
process.send(port)

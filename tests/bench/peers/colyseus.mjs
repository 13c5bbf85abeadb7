import { Client } from '@colyseus/sdk'
import { measure } from './measure.mjs'

await measure(new URL('./colyseus-server.mjs', import.meta.url).pathname, async (port, _number, moved) => {
  const client = new Client(`ws://127.0.0.1:${port}`)
  const room = await client.create('pad')
  let begun = false
  room.onStateChange(() => {
    if (begun) moved()
  })
  await new Promise((done) => setTimeout(done, 5))
  begun = true
  return () => room.send('count')
})

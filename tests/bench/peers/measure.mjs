// What all peers share: matches with one move in flight each, counted for a while; processor time of
// the server (a child process) and of this client for each move. Prints one line of JSON.
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'

const [, , seconds = '3', matches = '64'] = process.argv

// User and system time of a process, in microseconds; the system counts in hundredths of a second.
const worked = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

// Starts the server of a peer; it says on which port it listens.
export const startServer = (file) =>
  new Promise((ready) => {
    const child = fork(file, { env: { ...process.env, NODE_ENV: 'production' }, stdio: 'ignore' })
    child.once('message', (port) => ready({ child, port }))
  })

// `join(port, number, moved)` begins a match, calls `moved` after every move, and returns what
// makes the next move.
export const measure = async (file, join) => {
  const { child, port } = await startServer(file)
  let moves = 0
  for (let number = 0; number < Number(matches); number += 1) {
    let move = () => {}
    move = await join(port, number, () => {
      moves += 1
      move()
    })
    move()
  }
  await sleep(1000)
  const before = { moves, server: worked(child.pid), client: worked('self'), at: performance.now() }
  await sleep(Number(seconds) * 1000)
  const count = moves - before.moves
  const figures = {
    per_second: (count / (performance.now() - before.at)) * 1000,
    server_us: (worked(child.pid) - before.server) / count,
    client_us: (worked('self') - before.client) / count,
  }
  console.log(JSON.stringify(figures))
  child.kill()
  process.exit(0)
}

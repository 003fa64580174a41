import { request } from 'node:http'
import { WebSocket } from 'ws'
import type { Api } from './api.ts'
import { natName } from './seedRecords.ts'
import { bigBytes } from './targets.ts'

/** A client that works until it is stopped, and counts what succeeded and what did not. */
export interface SimulatedUser {
  done(): number
  faults(): readonly string[]
  /** Ends its connections, as before a restart; from then on nothing is a fault. */
  stop(): void
}

/** Milliseconds. A tick comes every two seconds; twice that means that one was missed. */
const missedMs = 3900
const patienceMs = 20_000

/** Receives the live metrics; intervals are measured by the server's own clock in the frames. */
export function liveViewer(api: Api): SimulatedUser {
  const faults: string[] = []
  let frames = 0
  let last: number | undefined
  const socket = new WebSocket(`${api.sockets}/api/v1/ws/server`, { headers: api.headers() })
  let isStopped = false
  socket.on('message', (data) => {
    const { now } = JSON.parse(String(data)) as { now: number }
    if (last !== undefined && now - last >= missedMs) faults.push(`A tick was missed: ${now - last} ms between two.`)
    last = now
    frames++
  })
  socket.on('error', () => {})
  socket.on('close', (code) => {
    if (!isStopped) faults.push(`A viewer's socket ended with ${code}.`)
  })
  return {
    done: () => frames,
    faults: () => faults,
    stop() {
      isStopped = true
      socket.terminate()
    },
  }
}

/** Types into a terminal and waits for what the shell says. */
export async function terminalUser(api: Api, serverId: number): Promise<SimulatedUser> {
  const { session_id } = await api.call<{ session_id: string }>('POST', 'terminal', { server_id: serverId })
  const socket = new WebSocket(`${api.sockets}/api/v1/ws/terminal/${session_id}`, { headers: api.headers() })
  const faults: string[] = []
  let output = ''
  let lines = 0
  let isStopped = false
  socket.on('message', (data) => {
    output = (output + String(data)).slice(-4000)
  })
  socket.on('error', () => {})
  socket.on('close', (code) => {
    if (!isStopped) faults.push(`A terminal ended with ${code}.`)
  })
  const work = repeat(5000, async () => {
    if (socket.readyState !== WebSocket.OPEN) return
    // Typed as a sum, so that the echo of what was typed is not taken for the answer.
    socket.send(`echo $((${lines}+1000000))\r`)
    const isThere = () => output.includes(String(lines + 1_000_000))
    for (let at = 0; at < 100 && !isThere(); at++) await pause(patienceMs / 100)
    if (isThere()) lines++
    else if (!isStopped) faults.push('A shell did not answer within 20 s.')
  })
  return {
    done: () => lines,
    faults: () => faults,
    stop() {
      isStopped = true
      clearInterval(work)
      socket.terminate()
    },
  }
}

/** Visits the forwarded name: pages, a large file now and then, and a socket that stays open. */
export function natVisitor(api: Api): SimulatedUser {
  const faults: string[] = []
  let done = 0
  let isStopped = false
  const fail = (text: string) => void (isStopped || faults.push(text))
  const ask = (path: string, bytes: number) =>
    new Promise<void>((settle) => {
      const outgoing = request(
        `${api.sockets.replace('ws', 'http')}${path}`,
        { headers: { host: natName } },
        (reply) => {
          let count = 0
          reply.on('data', (chunk: Buffer) => {
            count += chunk.length
          })
          reply.on('error', () => {})
          reply.on('close', () => {
            if (reply.statusCode === 200 && count === bytes) done++
            else fail(`${path} by the forwarded name: HTTP ${reply.statusCode}, ${count} of ${bytes} bytes.`)
            settle()
          })
        },
      )
      outgoing.on('error', (error) => {
        fail(`${path} by the forwarded name: ${error.message}`)
        settle()
      })
      outgoing.end()
    })
  const pages = repeat(1000, () => ask('/page', 2))
  const files = repeat(10_000, () => ask('/big', bigBytes))
  const socket = new WebSocket(api.sockets, { headers: { host: natName } })
  let sentCount = 0
  let receivedCount = 0
  socket.on('error', () => {})
  socket.on('message', () => {
    receivedCount++
    done++
  })
  socket.on('close', (code) => fail(`The socket by the forwarded name ended with ${code}.`))
  const talk = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (sentCount - receivedCount > 20)
      fail(`The socket by the forwarded name did not answer ${sentCount - receivedCount} messages.`)
    socket.send(`message ${++sentCount}`)
  }, 1000)
  return {
    done: () => done,
    faults: () => faults,
    stop() {
      isStopped = true
      for (const timer of [pages, files, talk]) clearInterval(timer)
      socket.terminate()
    },
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Again and again, and never twice at the same time. */
function repeat(everyMs: number, work: () => Promise<void>): NodeJS.Timeout {
  let isBusy = false
  return setInterval(async () => {
    if (isBusy) return
    isBusy = true
    await work()
    isBusy = false
  }, everyMs)
}

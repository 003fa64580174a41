import { readFileSync } from 'node:fs'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { certificateFiles } from '../../support/server/certificates/certificateFiles.ts'
import { selfSigned } from '../../support/server/certificates/selfSigned.ts'
import { startServerProcess } from '../../support/server/process/serverProcess.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

/** MiB that a process has more than at the beginning. */
function growthOf(pid: number): () => number {
  const resident = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  const before = resident()
  return () => resident() - before
}

/** Connections that send this and read nothing. */
function flood(port: number, count: number, text: string): Socket[] {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets)
    socket
      .on('error', () => {})
      .pause()
      .write(text)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return sockets
}

const requests = (path: string, count: number) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`.repeat(count)

/** What one connection may have waiting, and the reply that is being written. */
const mostOfConnection = 33
/** Connections that are not ended: all of their replies to `openapi.json` would be 1.4 GiB. */
const patientConnections = 40

// Other systems do not say what a process holds. Garbage is a part of it.
it.runIf(process.platform === 'linux')(
  'a stranger who sends 24,000 requests and reads no reply takes less than 400 MiB, and others are answered',
  async () => {
    const embedded = await startServerProcess({ DATA_DIR: temporaryFolder() })
    const gateway = await startServerProcess({ UPSTREAM: embedded.address })
    const places = [
      { ...embedded, paths: ['/', '/feed.atom', '/api/v1/openapi.json'] },
      { ...gateway, paths: ['/api/v1/openapi.json'] },
    ]
    for (const { address, pid, paths } of places) {
      const port = Number(new URL(address).port)
      for (const path of paths) await (await fetch(address + path)).arrayBuffer()
      const growth = growthOf(pid)
      for (const path of paths) {
        const sockets = [
          ...flood(port, 8, requests(path, 3000)),
          ...flood(port, patientConnections, requests(path, mostOfConnection)),
        ]
        for (let at = 0; at < 5; at++) {
          expect((await fetch(`${address}/api/v1/setting`)).status).toBe(200)
          expect(growth()).toBeLessThan(400)
        }
        for (const socket of sockets) socket.destroy()
      }
    }
  },
)

it.runIf(process.platform === 'linux')(
  'a stranger who reads no reply over HTTP/2 takes less than 400 MiB, and others are answered',
  async () => {
    const { cert: TLS_CERT, key: TLS_KEY } = certificateFiles()
    const server = await startServerProcess({ DATA_DIR: temporaryFolder(), TLS_CERT, TLS_KEY })
    const session = (initialWindowSize: number): ClientHttp2Session => {
      const opened = connectHttp2(server.address, { ca: selfSigned.cert, settings: { initialWindowSize } })
      opened.on('error', () => {})
      onTestFinished(() => opened.destroy())
      return opened
    }
    const reader = session(64 * 1024)
    const statusOf = async (path: string) =>
      await new Promise<unknown>((resolve) => {
        const stream = reader.request({ ':path': path })
        stream.on('response', (headers) => resolve(headers[':status'])).resume()
      })
    const path = '/api/v1/openapi.json'
    expect(await statusOf(path)).toBe(200)
    const growth = growthOf(server.pid)
    for (const unread of [session(0), session(0)])
      for (let at = 0; at < 240; at++) unread.request({ ':path': path }).on('error', () => {})
    for (let at = 0; at < 10; at++) {
      expect(await statusOf('/api/v1/setting')).toBe(200)
      expect(growth()).toBeLessThan(400)
    }
  },
)

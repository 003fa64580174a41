import { spawn } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import type { TaskResultMessage } from '../agentMessages.ts'
import type { AgentTraits } from '../agentVersions.ts'
import type { Ping } from '../servingAgent.ts'

type Result = Omit<TaskResultMessage, 'id' | 'type'>

const pingProgram = 'ping'

/** Milliseconds. */
const limits = { http: 30_000, tcp: 10_000 }

const headers = {
  'User-Agent': 'nezha-agent/1.0',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en,zh-CN;q=0.9,zh;q=0.8',
  'Accept-Encoding': 'gzip',
}

/** `delay` is the whole exchange in ms, also of a refusal by status. */
export async function probeHttp(url: string, { checksScheme }: Pick<AgentTraits, 'checksScheme'>): Promise<Result> {
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? ''
  if (scheme !== 'http' && scheme !== 'https') {
    if (checksScheme) return { data: 'invalid URL: only http and https schemes are supported' }
    return { data: `Get "${url}": unsupported protocol scheme "${scheme}"` }
  }
  const start = performance.now()
  try {
    const { status, text } = await get(url, scheme)
    const delay = performance.now() - start
    if (status >= 200 && status < 400) return { delay, successful: true }
    return { delay, data: `\n应用错误: ${status} ${text}` }
  } catch (error) {
    return { data: `Get "${url}": ${httpErrorText(error as NodeJS.ErrnoException, new URL(url))}` }
  }
}

function get(url: string, scheme: 'http' | 'https'): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = (scheme === 'http' ? requestHttp : requestHttps)(url, {
      headers,
      agent: false,
      signal: AbortSignal.timeout(limits.http),
    })
    request.on('response', (response) => {
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: response.statusMessage ?? '' }))
      response.on('error', reject)
      response.resume()
    })
    request.on('error', reject)
    request.end()
  })
}

function httpErrorText({ code, name, message }: NodeJS.ErrnoException, { hostname, port, protocol }: URL): string {
  const address = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  if (name === 'AbortError' || name === 'TimeoutError') return 'context deadline exceeded'
  if (code === 'ECONNREFUSED') return `dial tcp ${address}: connect: connection refused`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${hostname}: no such host`
  if (code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG' || message.includes('wrong version number')) {
    return 'tls: first record does not look like a TLS handshake'
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code ?? '')) {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
  }
  return message
}

export async function probePing(host: string, ping: Ping): Promise<Result> {
  let address: string
  try {
    if (!host || /[/:]/.test(host.replace(/^[\da-f:]+$/i, ''))) throw new Error('not a host')
    address = (await lookup(host)).address
  } catch {
    return { data: `lookup ${host}: no such host` }
  }
  const delay = await ping(address)
  return delay === undefined ? { data: 'pockets recv 0' } : { delay, successful: true }
}

/** Runs the machine's `ping`, which is allowed to send echoes. */
export const runPing: Ping = (address) =>
  new Promise((resolve) => {
    const echoes = ['-n', '-c', '5', '-i', '1', '-w', '20', address]
    const child = spawn(pingProgram, echoes, { stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    child.stdout.on('data', (bytes: Buffer) => (output += bytes))
    child.on('error', () => resolve(undefined))
    child.on('close', () => {
      const mean = /= [\d.]+\/([\d.]+)\//.exec(output)?.[1]
      resolve(mean === undefined ? undefined : Number(mean))
    })
  })

export function probeTcp(target: string): Promise<Result> {
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(target) ?? []
  if (host === undefined || port === undefined) {
    return Promise.resolve({ data: target ? `address ${target}: missing port in address` : 'missing port in address' })
  }
  const start = performance.now()
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) })
    const end = (result: Result) => {
      clearTimeout(limit)
      socket.destroy()
      resolve(result)
    }
    const limit = setTimeout(() => end({ data: `dial tcp ${target}: i/o timeout` }), limits.tcp)
    socket.on('connect', () => end({ delay: performance.now() - start, successful: true }))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => end({ data: tcpErrorText(code ?? '', host, target) }))
  })
}

const tcpErrors: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  EINVAL: 'invalid argument',
  ENETUNREACH: 'network is unreachable',
  EHOSTUNREACH: 'no route to host',
}

function tcpErrorText(code: string, host: string, target: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `lookup ${host}: no such host`
  if (code === 'ETIMEDOUT') return `dial tcp ${target}: i/o timeout`
  return `dial tcp ${target}: connect: ${tcpErrors[code] ?? code}`
}

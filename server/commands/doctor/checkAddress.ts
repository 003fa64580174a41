import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { usePeerAddress } from '../../../src/schemas/settings/siteSetting.ts'
import { isLoopback } from '../../settings.ts'
import { type Check, messageOf, resultsOf } from './check.ts'

const port = resultsOf('port')

/** Whether the server answers on its port, and with this version. */
export const checkPort: Check = async ({ settings, address, site, version }) => {
  if (!address)
    return [port.warning('PORT is 0, so nobody can say where the server is.', 'Set PORT to the port that it uses.')]
  const header = site?.web_real_ip_header
  const headers = header && header !== usePeerAddress ? { [header]: '127.0.0.1' } : {}
  try {
    const { status, body } = await askServer(new URL('/api/v1/setting', address), headers)
    if (settings.upstream) return [port.ok(`The gateway answers at ${address.origin}.`)]
    const running = body?.data?.wheelhouse?.version
    if (running === undefined) {
      const words = body?.error ?? `status ${status}`
      return [
        port.failed(
          `What answers at ${address.origin} is no Wheelhouse (${words}).`,
          'Stop the other program, or set PORT.',
        ),
      ]
    }
    if (running !== version) {
      const text = `The server at ${address.origin} is version ${running}, and this command ${version}.`
      return [port.warning(text, 'Start the server anew, so that the installed version runs.')]
    }
    return [port.ok(`The server answers at ${address.origin} (version ${running}).`)]
  } catch (error) {
    return [
      port.failed(
        `Nothing answers at ${address.origin} (${messageOf(error)}).`,
        'Start the server; its log says why it ended. If it listens elsewhere, give this command the same HOST, PORT and TLS_CERT.',
      ),
    ]
  }
}

/** What a server answered. */
interface Answer {
  status: number
  /** The body as JSON; `undefined` for anything else. */
  body: { success?: boolean; error?: string; data?: { wheelhouse?: { version?: string } } } | undefined
}

/** Milliseconds for the whole answer. */
const timeoutMs = 5_000

/** Bytes: the settings that everybody may read, which contain the operator's custom code. */
const maxBytes = 1024 * 1024

/**
 * Sends a GET. Certificates are not verified here: that is another check.
 * @throws Error with the system's code, as ECONNREFUSED
 */
function askServer(url: URL, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const signal = AbortSignal.timeout(timeoutMs)
  const options = { headers: { accept: 'application/json', ...headers }, signal, agent: false as const }
  const request =
    url.protocol === 'https:' ? requestTls(url, { ...options, rejectUnauthorized: false }) : requestPlain(url, options)
  request.once('error', (error) => reject(signal.aborted ? new Error('no answer within 5 seconds') : error))
  request.once('response', (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      text += chunk
      if (text.length > maxBytes) response.destroy(new Error('the answer is too long'))
    })
    response.once('error', reject)
    response.once('end', () => resolve({ status: response.statusCode ?? 0, body: readJson(text) }))
  })
  request.end()
  return promise
}

function readJson(text: string): Answer['body'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const { ok, warning, failed } = resultsOf('proxy')

const setHeader =
  'Let the proxy send the address of the visitor as X-Real-IP, and name that header in the settings of the site.'

/**
 * Whether PUBLIC_URL leads here, and a proxy in front sends the header with the visitors' addresses that the settings
 * name. A server with a certificate of its own has none in front, as far as can be seen from here.
 */
export const checkProxy: Check = async ({ settings: { host, publicUrl, upstream, tls }, site }) => {
  if (upstream || !site) return []
  const header = site.web_real_ip_header || usePeerAddress
  const readsHeader = header !== usePeerAddress
  if (!publicUrl) {
    if (!readsHeader)
      return [ok('No proxy is in front (PUBLIC_URL is not set), and visitors are known by their own addresses.')]
    const text = `Addresses of visitors come from the header ${header}, and PUBLIC_URL is not set.`
    return [warning(text, 'Set PUBLIC_URL to the address at the proxy, or the real-IP header to NZ::Use-Peer-IP.')]
  }
  if (readsHeader && !isLoopback(host)) {
    const text = `Whoever reaches port and host ${host} directly can claim any address in the header ${header}.`
    const withoutProxy = 'set the real-IP header to NZ::Use-Peer-IP'
    return [
      warning(
        text,
        `Without a proxy ${withoutProxy}; with one, set HOST to 127.0.0.1 or let a firewall admit nobody else.`,
      ),
    ]
  }
  let answer: Answer
  try {
    answer = await askServer(new URL('/api/v1/setting', publicUrl))
  } catch (error) {
    const text = `${publicUrl.origin} cannot be reached from this machine (${messageOf(error)}).`
    return [warning(text, 'Start the proxy. Where a network does not lead back to itself, look from another machine.')]
  }
  const words = answer.body?.error ?? `status ${answer.status}`
  if (answer.body?.data?.wheelhouse) {
    if (tls && !readsHeader) {
      return [ok(`${publicUrl.origin} leads here, and visitors are known by their own addresses.`)]
    }
    return readsHeader
      ? [ok(`${publicUrl.origin} leads here, and its requests have the header ${header}.`)]
      : [
          warning(
            `${publicUrl.origin} leads here, and all its visitors seem to have the address of the proxy.`,
            setHeader,
          ),
        ]
  }
  if (words === 'real ip header not found' || words.startsWith('ParseAddr(')) {
    return [failed(`Requests through ${publicUrl.origin} have no address in the header ${header}.`, setHeader)]
  }
  const advice = 'Lead all paths of that host to this server, with the header Host as it came (docs/guides/deploy.md).'
  return [failed(`${publicUrl.origin} does not lead to this server (${words}).`, advice)]
}

import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'

/** What a server answered. */
export interface Answer {
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
export function askServer(url: URL, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
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

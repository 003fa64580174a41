import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { type Check, type CheckResult, messageOf, resultsOf } from './check.ts'

const { ok, warning, failed } = resultsOf('tls')

const dayMs = 86_400_000
/** Programs that renew certificates do it a month before their end. */
const warnDays = 14
const timeoutMs = 5_000

interface Served {
  certificate: X509Certificate
  /** Why it is not trusted by this machine; `undefined` if it is. */
  untrusted: string | undefined
}

/** The certificates that visitors get: that of the server itself, and that at PUBLIC_URL. */
export const checkTls: Check = async ({ settings: { tls, publicUrl }, address, now }) => {
  const results: CheckResult[] = []
  if (tls && address) results.push(...(await checkOwn(tls.cert, address, publicUrl, now)))
  if (publicUrl?.protocol === 'https:') results.push(...(await checkPublic(publicUrl, now)))
  return results
}

async function checkOwn(file: string, address: URL, publicUrl: URL | undefined, now: number): Promise<CheckResult[]> {
  try {
    const stored = new X509Certificate(readFileSync(file))
    const { certificate } = await served(address, publicUrl?.hostname)
    const results = [timeLeft(certificate, address.origin, now)]
    if (stored.fingerprint256 !== certificate.fingerprint256) {
      const text = `${address.origin} serves another certificate than ${file} has.`
      results.push(warning(text, 'Wait ten seconds and repeat this; the log says why the file is not taken.'))
    }
    return results
  } catch (error) {
    const text = `The certificate of ${address.origin} cannot be read (${messageOf(error)}).`
    return [failed(text, 'Check that the server runs, and that TLS_CERT is a file in PEM that this user can read.')]
  }
}

async function checkPublic(url: URL, now: number): Promise<CheckResult[]> {
  try {
    const { certificate, untrusted } = await served(url, url.hostname)
    const isOfName = isIP(hostOf(url)) ? certificate.checkIP(hostOf(url)) : certificate.checkHost(url.hostname)
    if (!isOfName) {
      return [failed(`The certificate at ${url.origin} is for other names.`, 'Give the proxy one for this name.')]
    }
    const left = timeLeft(certificate, url.origin, now)
    if (left.status === 'failed' || untrusted === undefined) return [left]
    const advice = 'Have the proxy send the certificates between its own and the root, or trust your own authority.'
    return [warning(`This machine does not trust the certificate at ${url.origin} (${untrusted}).`, advice)]
  } catch (error) {
    const text = `${url.origin} cannot be reached from this machine (${messageOf(error)}).`
    return [warning(text, 'Start the proxy. Where a network does not lead back to itself, look from another machine.')]
  }
}

function timeLeft(certificate: X509Certificate, origin: string, now: number): CheckResult {
  const days = Math.floor((certificate.validToDate.getTime() - now) / dayMs)
  const until = certificate.validToDate.toISOString().slice(0, 10)
  if (certificate.validFromDate.getTime() > now) {
    return failed(`The certificate at ${origin} is not valid yet.`, 'Check the clock of this machine.')
  }
  if (days < 0) return failed(`The certificate at ${origin} has ended on ${until}.`, 'Renew it now.')
  const text = `The certificate at ${origin} is valid for ${days} more days, until ${until}.`
  return days < warnDays ? warning(text, 'Renew it, and find out why it was not renewed by itself.') : ok(text)
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

function served(url: URL, name: string | undefined): Promise<Served> {
  const { promise, resolve, reject } = Promise.withResolvers<Served>()
  const host = hostOf(url)
  const servername = name && isIP(name.replace(/^\[|\]$/g, '')) === 0 ? name : undefined
  const socket = connect({ host, port: Number(url.port) || 443, servername, rejectUnauthorized: false }, () => {
    const certificate = socket.getPeerX509Certificate()
    if (certificate) {
      resolve({ certificate, untrusted: socket.authorized ? undefined : String(socket.authorizationError) })
    } else reject(new Error('no certificate'))
    socket.destroy()
  })
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer within 5 seconds')))
  socket.once('error', reject)
  return promise
}

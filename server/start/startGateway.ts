import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { describeFailure } from '../gateway/failure.ts'
import { buildGateway } from '../gateway/gateway.ts'
import { describeUnexpectedReply } from '../gateway/unexpectedReply.ts'
import { fetchFromUpstream, type Upstream } from '../gateway/upstream.ts'
import type { Settings } from '../settings.ts'
import { StartError } from '../startError.ts'
import { addressOf, listen } from './listen.ts'
import type { RunningServer, StartOptions } from './runningServer.ts'

/** How long the upstream may take to begin an answer, in ms: some calls wait for machines far away. */
const patienceMs = 30_000

/**
 * Starts the gateway in front of the server at `url`. It lives whether that answers or not, and touches no folder.
 * @throws StartError with a sentence for the operator
 */
export async function startGateway({ settings, log, dist }: StartOptions, url: URL): Promise<RunningServer> {
  refuseItself(settings, url)
  if (settings.commandsDisabled) {
    throw new StartError(
      'DISABLE_COMMAND_EXECUTE is for this machine, and with UPSTREAM nothing runs here: leave it out, and switch ' +
        'commands off at the servers behind.',
    )
  }
  const upstream: Upstream = { url, ca: readCertificates(settings.upstreamCa), patienceMs }
  const app = await buildGateway({ upstream, log, settings, dist })
  await listen(app, settings)
  log.info(`The console is at /dashboard; everything else comes from ${url.origin}, and nothing is kept here.`)
  if (settings.adminPassword) log.warn('ADMIN_PASSWORD is not used: people sign in as they do at the server behind.')
  void complaintAbout(upstream).then((complaint) => complaint && log.warn(complaint))
  return { address: addressOf(app, settings), firstUser: undefined, stop: () => app.close() }
}

/** A gateway in front of itself would ask itself for ever. */
function refuseItself({ host, port, publicUrl }: Settings, url: URL): void {
  const names = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', host]
  const ownPort = Number(url.port || (url.protocol === 'https:' ? 443 : 80)) === port
  if (url.origin !== publicUrl?.origin && !(ownPort && names.includes(url.hostname))) return
  throw new StartError(
    `UPSTREAM is ${url.origin}, which is this gateway itself: set it to the address of the server behind.`,
  )
}

function readCertificates(path: string | undefined): string[] | undefined {
  if (path === undefined) return undefined
  try {
    const text = readFileSync(path, 'utf8')
    const own = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    if (own.length === 0) throw new Error('no certificate in it')
    for (const certificate of own) new X509Certificate(certificate)
    return [...getCACertificates(), ...own]
  } catch (error) {
    const { message } = error as Error
    throw new StartError(`UPSTREAM_CA is ${path} (${message}): set it to a file with certificates in PEM.`, {
      cause: error,
    })
  }
}

/** What an operator should know at the start about a server that does not answer as it should. */
async function complaintAbout(upstream: Upstream): Promise<string | undefined> {
  const path = '/api/v1/setting'
  try {
    const { status, headers } = await fetchFromUpstream(upstream, path, { accept: 'application/json' })
    return describeUnexpectedReply(
      path,
      { status, type: headers['content-type'], location: headers.location },
      upstream.url,
    )
  } catch (error) {
    return describeFailure(error, upstream.url, upstream.patienceMs).text
  }
}

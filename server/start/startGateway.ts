import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { errorMessage } from '../../src/domain/errors.ts'
import { buildGateway } from '../gateway/gateway.ts'
import { describeFailure, describeUnexpectedReply, fetchFromUpstream, type Upstream } from '../gateway/upstream.ts'
import { StartError } from '../log.ts'
import type { Settings } from '../settings.ts'
import { listen, type RunningServer, type StartOptions, serverUrl } from './runningServer.ts'

/** Milliseconds until the upstream starts to reply: some calls wait for remote machines. */
const timeoutMs = 30_000

/**
 * Starts the gateway in front of the server at `url`. It runs whether that answers or not, and uses no data folder.
 * @throws StartError with a sentence for the operator
 */
export async function startGateway({ settings, log, dist }: StartOptions, url: URL): Promise<RunningServer> {
  refuseOwnAddress(settings, url)
  if (settings.commandsDisabled) {
    throw new StartError(
      'DISABLE_COMMAND_EXECUTE is for this machine, and with UPSTREAM nothing runs here: leave it out, and switch ' +
        'commands off at the servers behind.',
    )
  }
  if (settings.backups) {
    throw new StartError('BACKUP_DIR is for the embedded server: with UPSTREAM nothing is kept here, so leave it out.')
  }
  if (settings.forceAuth) {
    throw new StartError(
      'FORCE_AUTH is for the embedded server: with UPSTREAM leave it out, and set force_auth at the server behind.',
    )
  }
  if (settings.tls) {
    throw new StartError(
      'TLS_CERT and TLS_KEY are for the embedded server: with UPSTREAM leave both out, and put a proxy with TLS in front.',
    )
  }
  const upstream: Upstream = { url, ca: readCertificates(settings.upstreamCa), timeoutMs }
  const app = await buildGateway({ upstream, log, settings, dist })
  await listen(app, settings)
  log.info(`The console is at /dashboard; everything else comes from ${url.origin}, and nothing is kept here.`)
  if (settings.adminPassword) log.warn('ADMIN_PASSWORD is not used: people sign in as they do at the server behind.')
  void checkUpstream(upstream).then((problem) => problem && log.warn(problem))
  return {
    address: serverUrl(app.server, settings),
    firstUser: undefined,
    stop: () => app.close(),
    traceFile: undefined,
  }
}

/** @throws StartError when the upstream is this gateway: it would forward to itself for ever */
function refuseOwnAddress({ host, port, publicUrl }: Settings, url: URL): void {
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
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    if (certificates.length === 0) throw new Error('no certificate in it')
    for (const certificate of certificates) new X509Certificate(certificate)
    return [...getCACertificates(), ...certificates]
  } catch (error) {
    const message = errorMessage(error)
    throw new StartError(`UPSTREAM_CA is ${path} (${message}): set it to a file with certificates in PEM.`, {
      cause: error,
    })
  }
}

/** A sentence for the operator when the upstream does not reply as it should. */
async function checkUpstream(upstream: Upstream): Promise<string | undefined> {
  const path = '/api/v1/setting'
  try {
    const { status, headers } = await fetchFromUpstream(upstream, path, { accept: 'application/json' })
    return describeUnexpectedReply(
      path,
      { status, type: headers['content-type'], location: headers.location },
      upstream.url,
    )
  } catch (error) {
    return describeFailure(error, upstream.url, upstream.timeoutMs).text
  }
}
